import { describe, expect, test } from 'vitest'
import { shortConversation } from '../../../src/domain/prompts/short-conversation.ts'
import { auditSummary } from '../../../src/domain/summary/audit.ts'
import { regionFacts } from '../../../src/domain/summary/region-facts.ts'
import { textTokens } from '../../../src/domain/tokens/text-tokens.ts'
import { blocksToConversation } from '../../../src/domain/transcript/blocks-to-conversation.ts'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'
import { CORPUS_NOTE, corpusFiles, corpusText, hasCorpus } from '../../support/corpus.ts'

const files = corpusFiles('pi', '.jsonl')

interface Part {
  readonly type?: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: Readonly<Record<string, unknown>>
}
interface Line {
  readonly message?: { readonly role: string; readonly isError?: boolean; readonly content?: string | readonly Part[] }
}

/** The bracket form of docs/spec/sessions.md §8, enough for reading it back. */
function serialised(file: string): string {
  const blocks: string[] = []
  for (const line of corpusText(file).split('\n')) {
    if (line === '') continue
    const { message } = JSON.parse(line) as Line
    if (message === undefined) continue
    const parts =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? [])
    const text = parts.map((part) => part.text ?? '').join('')
    const calls = parts.filter((part) => part.type === 'toolCall')
    const label = {
      user: 'User',
      assistant: 'Assistant',
      toolResult: message.isError === true ? 'Tool error' : 'Tool result',
    }[message.role]
    if (label !== undefined && text !== '') blocks.push(`[${label}]: ${text.slice(0, 2_000)}`)
    if (calls.length > 0) {
      const shown = calls.map(
        (call) =>
          `${call.name}(${Object.entries(call.arguments ?? {})
            .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
            .join(', ')})`,
      )
      blocks.push(`[Assistant tool calls]: ${shown.join('; ')}`)
    }
  }
  return blocks.join('\n\n')
}

describe.skipIf(!hasCorpus)(`recorded sessions (${CORPUS_NOTE})`, () => {
  test.each(files)('auditSummary restores facts of %s within its budget, and then finds them', (file) => {
    const transcript = serialised(file)
    const conversation = blocksToConversation(parseBlocks(transcript))
    const region = { region: regionFacts(conversation), source: [transcript] }
    const answer = '## Goal\nnothing in particular'
    const { text, audit } = auditSummary({ summary: answer, ...region, budgetTokens: 13_107 })
    expect(audit.facts).toBe(region.region.facts.length)
    expect(audit.facts).toBeGreaterThan(0)
    expect(textTokens(text) - textTokens(answer)).toBeLessThanOrEqual(1_310)
    const again = auditSummary({ summary: text, ...region, budgetTokens: 13_107 })
    expect(again.audit.kept).toBeGreaterThanOrEqual(audit.kept + audit.restored.length)
    for (const path of again.audit.unsupportedPaths) expect(transcript).not.toContain(path)
  })

  test.each(files)('shortConversation of %s never needs folding', (file) => {
    expect(textTokens(shortConversation(serialised(file)))).toBeLessThanOrEqual(10_100)
  })
})
