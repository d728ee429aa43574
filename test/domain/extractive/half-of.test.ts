import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'
import { promptOf, type Row, sectionOf } from './prompt-builder.ts'

const TALK: Row[] = [
  ['User', 'Write the importer for the new price list.'],
  ['Assistant tool calls', 'edit(path="src/importer.ts", oldText="a", newText="b")'],
  ['Tool result', 'ok'],
  ['Assistant', 'The importer reads 1,200 rows now. Shall I add the export, too?'],
]
const NEXT: Row[] = [['User', 'Name the columns after the ones of the depot.']]
const TURN =
  'Summarise.\n\n## Original Request\n[request]\n\n## Early Progress\n- [done]\n\n## Context for Suffix\n- [facts]'

describe('halfOf', () => {
  it('tells of the history no newest request, no waiting question and no last words: the turn behind it has them', () => {
    const text = summarizeExtractively({ prompt: promptOf([...TALK, ...NEXT]), half: 'history' })
    expect(text).toContain('Name the columns after the ones of the depot.')
    expect(text).toContain('The importer reads 1,200 rows now.')
    for (const settled of ['Newest request', 'waits for an answer', 'Last words', 'Not begun', 'Nothing is open'])
      expect(text).not.toContain(settled)
    expect(sectionOf(text, '## Next Steps')).toContain('(none)')
  })

  it('tells of the turn what it answers, and nothing else of the message before it', () => {
    const decided = 'I chose `parseRows` instead of a stream, because the file is small. See #412.'
    const prompt = promptOf([['Assistant', decided], ...NEXT, ['Assistant', 'Looking at `depot.ts` first.']], {
      instructions: TURN,
    })
    const half = summarizeExtractively({ prompt, half: 'turn' })
    expect(half).toContain('Newest request: Name the columns after the ones of the depot.')
    expect(half).toContain(`It answers the assistant: ${decided}`)
    expect(half.split('instead of a stream')).toHaveLength(2)
    expect(summarizeExtractively({ prompt }).split('instead of a stream')).toHaveLength(3)
  })

  it('never says that the turn is finished: it goes on in what is kept', () => {
    const prompt = promptOf([...NEXT, ['Assistant', 'The columns have their names.']], { instructions: TURN })
    expect(summarizeExtractively({ prompt, half: 'turn' })).toContain('Under way: the newest request was not finished')
    expect(summarizeExtractively({ prompt })).toContain('Nothing is open')
  })
})
