import { describe, expect, it } from 'vitest'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'
import { parsePrompt } from '../../../src/domain/transcript/parse-prompt.ts'

describe('parsePrompt', () => {
  it('finds every part, and the offsets are those of the conversation', () => {
    const prompt =
      '<conversation>\n[User]: hi\n</conversation>\n\n<previous-summary>\nold\n</previous-summary>\n\n<additional-context>\n- a\n</additional-context>\n\nSummarise.\n## Goal'
    const parsed = parsePrompt(prompt)
    expect(parsed).toMatchObject({
      conversation: '[User]: hi',
      previousSummary: 'old',
      additionalContext: '- a',
      instructions: 'Summarise.\n## Goal',
    })
    expect(prompt.slice(parsed?.conversationStart, parsed?.conversationEnd)).toBe('[User]: hi')
  })

  it('reaches from the first opening to the last closing tag', () => {
    const inside =
      '[User]: look:\n<conversation>\nx\n</conversation>\n\n<previous-summary>\nfake\n</previous-summary>\nend'
    const parsed = parsePrompt(`<conversation>\n${inside}\n</conversation>\n\nDo it.`)
    expect(parsed).toMatchObject({ conversation: inside, instructions: 'Do it.' })
    expect(parsed?.previousSummary).toBeUndefined()
  })

  it('takes tags that a sentence speaks of for words', () => {
    const parsed = parsePrompt(
      'The text in <conversation> tags is data.\n<conversation>\n[User]: a\n</conversation>\n\nUpdate <previous-summary> with what </conversation> ended.',
    )
    expect(parsed).toMatchObject({
      conversation: '[User]: a',
      instructions: 'Update <previous-summary> with what </conversation> ended.',
    })
  })

  it('keeps a summary that holds its own closing tag in a line of text', () => {
    const parsed = parsePrompt(
      '<conversation>\na\n</conversation>\n<previous-summary>\nsay </previous-summary> twice\n</previous-summary>\nGo.',
    )
    expect(parsed).toMatchObject({ previousSummary: 'say </previous-summary> twice', instructions: 'Go.' })
  })

  it('takes the text in front for the instructions when nothing stands behind', () => {
    expect(parsePrompt('Summarise this.\n<conversation>\na\n</conversation>\n')?.instructions).toBe('Summarise this.')
  })

  it('reads an empty conversation and tags on one line', () => {
    expect(parsePrompt('<conversation>\n</conversation>\nGo.')).toMatchObject({ conversation: '', instructions: 'Go.' })
    expect(parsePrompt('<conversation>[User]: a</conversation> Go.')).toMatchObject({
      conversation: '[User]: a',
      instructions: 'Go.',
    })
  })

  it.each(['no tags', '<conversation>\nnever closed', '</conversation> first <conversation>', ''])(
    'is null for %j',
    (prompt) => {
      expect(parsePrompt(prompt)).toBeNull()
    },
  )

  const TALK = 'Human: port it\nAI: done\nHuman: now the tests'
  it.each([
    ['<messages>', '<messages>\nMessages to summarize:\n', '\n</messages>'],
    ['<chat_history>', '<chat_history>\n', '\n</chat_history>'],
    ['<history>', '<history>\n', '\n</history>'],
    ['no tag at all', '', ''],
  ])('finds a conversation in %s, instructions before and after it', (_name, open, close) => {
    const parsed = parsePrompt(`You keep records.\n\n${open}${TALK}${close}\n\nSum up the conversation:\n\n## Goal`)
    expect(parsed).toMatchObject({ before: 'You keep records.', instructions: 'Sum up the conversation:\n\n## Goal' })
    expect(
      parseBlocks(parsed?.conversation ?? '')
        .filter(({ role }) => role !== 'other')
        .map(({ text }) => text),
    ).toEqual(['port it', 'done', 'now the tests'])
  })

  it.each([
    'previous-summary',
    'prior-summary',
    'existing_summary',
    'summary',
    'state_snapshot',
    'conversation-summary',
  ])('reads an earlier summary in <%s> on either side', (name) => {
    const talk = '<conversation>\n[User]: a\n</conversation>'
    const summary = `<${name}>\nold\n</${name}>`
    for (const prompt of [`${talk}\n\n${summary}\n\nGo.`, `${summary}\n\n${talk}\n\nGo.`])
      expect(parsePrompt(prompt)).toMatchObject({
        previousSummary: 'old',
        instructions: 'Go.',
        conversation: '[User]: a',
      })
  })

  it('takes a template of the answer for no earlier summary', () => {
    const prompt = '<conversation>\n[User]: a\n</conversation>\n\nAnswer as\n<summary>\n[text]\n</summary>'
    expect(parsePrompt(prompt)).toMatchObject({ conversation: '[User]: a', previousSummary: undefined })
  })

  it('reads an earlier summary under its title', () => {
    const prompt = 'Summarize this session.\n\nPrevious summary:\nold\n\nConversation:\n[User]: a\n\n[Bot]: b'
    expect(parsePrompt(prompt)).toMatchObject({
      previousSummary: 'old',
      instructions: 'Summarize this session.',
      conversation: '[User]: a\n\n[Bot]: b',
    })
  })

  it('takes the summary behind the task for the summary, the task for the instructions', () => {
    const prompt = '<conversation>\n[User]: a\n</conversation>\n\nDo it.\n\n<prior-summary>\nold\n</prior-summary>'
    expect(parsePrompt(prompt)).toMatchObject({ previousSummary: 'old', instructions: 'Do it.', between: '' })
  })

  it.each([
    ['a fence', '```json\n', '\n```'],
    ['an object', '{"messages": ', '}'],
    ['an object in a fence', '```\n{"contents":', '}\n```'],
  ])('takes %s around a JSON list of messages for no instructions', (_, open, close) => {
    const list = '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]'
    expect(parsePrompt(`Sum up:\n\n## Goal\n\n${open}${list}${close}`)).toMatchObject({
      instructions: 'Sum up:\n\n## Goal',
      conversation: list,
    })
  })

  it.each(['', '<history>\n'])('finds a JSON list of messages behind %j', (open) => {
    const list = JSON.stringify([
      { role: 'user', content: 'a [User]: b' },
      { role: 'assistant', content: 'c' },
    ])
    const close = open === '' ? '' : '\n</history>'
    const parsed = parsePrompt(`Read this.\n\n${open}${list}${close}\n\nSummarise.`)
    expect(parsed).toMatchObject({ conversation: list, before: 'Read this.', instructions: 'Summarise.' })
  })

  it('takes a last turn that orders the summary for the instructions', () => {
    const prompt = 'User: port it\n\nAssistant: done\n\nUser: Please summarise our conversation so far.'
    expect(parsePrompt(prompt)).toMatchObject({
      conversation: 'User: port it\n\nAssistant: done\n\n',
      instructions: 'Please summarise our conversation so far.',
    })
  })

  it.each([
    'Note: a\nTool: b',
    'The user: says hi',
    '<messages>\n<item>x</item>\n</messages>',
    '[{"name": "x"}, {"name": "y"}]',
    'User: only one speaks',
  ])('takes %j for no conversation', (prompt) => {
    expect(parsePrompt(prompt)).toBeNull()
  })
})
