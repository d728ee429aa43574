import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unwrapAnswer } from '../../../src/domain/summary/unwrap.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const BODY = '## Goal\nMove the relay.\n\n## Next Steps\n1. Test it'
const INNER = `${BODY}\n\n\`\`\`sh\nmake relay\n\`\`\``

test.each([
  ['nothing around it', BODY, BODY],
  ['a fence with a word', `\`\`\`markdown\n${BODY}\n\`\`\``, BODY],
  ['a bare fence', `\n\n\`\`\`\n${BODY}\n\`\`\`  \n`, BODY],
  ['tildes', `~~~md\n${BODY}\n~~~`, BODY],
  ['four backticks', `\`\`\`\`\n${INNER}\n\`\`\`\``, INNER],
  ['a fence around one with a fence inside', `\`\`\`markdown\n${INNER}\n\`\`\``, INNER],
  ['a bare inner fence', `\`\`\`markdown\n${BODY}\n\`\`\`\nmake\n\`\`\`\n\`\`\``, `${BODY}\n\`\`\`\nmake\n\`\`\``],
  ['a fence that was never closed', `\`\`\`markdown\n${BODY}`, BODY],
  ['a remark before the fence', `Here is the summary:\n\n\`\`\`markdown\n${BODY}\n\`\`\``, BODY],
  ['a remark on both sides', `Sure.\n\`\`\`\n${BODY}\n\`\`\`\nAnything else?`, BODY],
  ['a fence at the end stays', INNER, INNER],
  ['two snippets stay', '```sh\nmake\n```\nthen\n```sh\nrun\n```', '```sh\nmake\n```\nthen\n```sh\nrun\n```'],
  ['inline triple backticks are no fence', '```not a fence``` said\nmore', '```not a fence``` said\nmore'],
  ['summary tags', `<summary>\n${BODY}\n</summary>`, BODY],
  ['summary tags never closed', `<summary>\n${BODY}`, BODY],
  ['chatter behind the closing tag', `<summary>\n${BODY}\n</summary>\nShall I go on?`, BODY],
  ['a remark before the tag', `Here you are.\n\n<summary>\n${BODY}\n</summary>`, BODY],
  ['an empty pair before the text', `<summary></summary>\n${BODY}`, BODY],
  [
    'a summary that speaks of the tag',
    `${BODY}\n- closes \`<summary>\` properly`,
    `${BODY}\n- closes \`<summary>\` properly`,
  ],
  ['thinking', `<think>\nPRIVATE\n</think>\n\n${BODY}`, BODY],
  ['thinking on one line', `<thinking>PRIVATE</thinking>${BODY}`, BODY],
  ['reasoning with an attribute', `<reasoning effort="low">\nPRIVATE\n</reasoning>\n${BODY}`, BODY],
  ['nested thinking', `<think>a<think>PRIVATE</think>PRIVATE</think>\n${BODY}`, BODY],
  ['thinking whose start was swallowed', `PRIVATE musings\n</think>\n\n${BODY}`, BODY],
  ['thinking between sections', BODY.replace('\n\n', '\n\n<think>\nPRIVATE\n</think>\n'), BODY],
  ['thinking that ends the answer', `${BODY}\n<think>\nPRIVATE and cut`, BODY],
  ['analysis and summary', `<analysis>\nPRIVATE\n</analysis>\n<summary>\n${BODY}\n</summary>`, BODY],
  ['analysis never closed, summary follows', `<analysis>\nPRIVATE\n<summary>\n${BODY}\n</summary>`, BODY],
  ['thinking, tags and fence nested', `<think>PRIVATE</think>\n<summary>\n\`\`\`md\n${BODY}\n\`\`\`\n</summary>`, BODY],
  ['a fence around thinking', `\`\`\`\n<think>PRIVATE</think>\n${BODY}\n\`\`\``, BODY],
  [
    'a mention of the tag in a sentence',
    `${BODY}\n- the parser drops <think> blocks`,
    `${BODY}\n- the parser drops <think> blocks`,
  ],
  [
    'a mention of the closing tag in code',
    `${BODY}\n- it splits at \`</think>\``,
    `${BODY}\n- it splits at \`</think>\``,
  ],
  [
    'a sample in a fence',
    `${BODY}\n\n\`\`\`xml\n<think>\nx\n</think>\n\`\`\``,
    `${BODY}\n\n\`\`\`xml\n<think>\nx\n</think>\n\`\`\``,
  ],
])('unwrapAnswer: %s', (_, answer, wanted) => {
  expect(unwrapAnswer(answer)).toBe(wanted)
})

test.each([
  ['only thinking', '<think>\nPRIVATE\n</think>'],
  ['thinking never closed', '<think>\nPRIVATE\n## Goal\nPRIVATE'],
  ['blank', ' \n\t\n'],
  ['an empty fence', '```\n```'],
  ['empty tags', '<summary>\n\n</summary>'],
])('unwrapAnswer gives nothing for %s', (_, answer) => {
  expect(unwrapAnswer(answer)).toBe('')
})

const piece = fc.constantFrom(
  '<think>',
  '</think>',
  '<summary>',
  '</summary>',
  '<analysis>',
  '</analysis>',
  '```',
  '```md',
  '~~~',
  '\n',
  '\n\n',
  ' ',
  '# A',
  '## Goal',
  'text',
  '`',
  '<',
  '>',
  '{',
)

test('unwrapAnswer is idempotent and never throws', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const once = unwrapAnswer(pieces.join(''))
      expect(unwrapAnswer(once)).toBe(once)
    }),
    { seed: 11, numRuns: propertyRuns(1000) },
  )
})

test('unwrapAnswer never returns what was thought', () => {
  const thought = fc.array(fc.constantFrom('SECRET', '\n', '## Goal', '```', ' '), { maxLength: 10 })
  fc.assert(
    fc.property(thought, fc.constantFrom('think', 'thinking', 'reasoning', 'thought'), (words, tag) => {
      expect(unwrapAnswer(`<${tag}>\n${words.join('')}\n</${tag}>\n${BODY}`)).toBe(BODY)
    }),
    { seed: 13, numRuns: propertyRuns(300) },
  )
})

test('unwrapAnswer keeps up with hostile megabytes', () => {
  for (const unit of [
    '<think>',
    '</think>\n',
    '<summary>\n',
    '```\n',
    '<think></think>',
    '<think>\n</think>\n',
    '`',
    '<think ',
  ]) {
    expect(unwrapAnswer(unit.repeat(300_000 / unit.length)).length).toBeLessThanOrEqual(300_000)
  }
})
