import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/extractive/${name}`, import.meta.url), 'utf8')

describe('summarizeExtractively on whole prompts', () => {
  it.each([
    ['a first checkpoint: open fault, decision, next steps, unanswered question', 'parcel-tracker'],
    ['an update in Spanish: merged section by section, the fault that is gone leaves', 'facturas'],
    ['a handoff of a message list: hermes labels, task list, thirteen headings', 'handoff-list'],
    ['the first part of a turn: newer labels, exit code 1 of a search', 'turn-prefix'],
    ['a short summary: sentences, a secret masked', 'short'],
  ])('%s', (_, name) => {
    const summary = summarizeExtractively({ prompt: fixture(`${name}.prompt.txt`) })
    expect(`${summary}\n`).toBe(fixture(`${name}.expected.md`))
  })
})
