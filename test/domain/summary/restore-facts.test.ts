import { describe, expect, it } from 'vitest'
import type { HardFact } from '../../../src/domain/ledger/ledger-facts.ts'
import { restoreFacts } from '../../../src/domain/summary/restore-facts.ts'

const SENTENCE = 'Move the order desk from the cron jobs to the queue, one job after the other.'
const goal: HardFact = { kind: 'goal', text: `${SENTENCE} Begin with the invoices.`, probe: SENTENCE }
const rule: HardFact = { kind: 'constraint', text: 'Never change a number.', probe: 'Never change a number.' }
const goalLine = (tokens: number): string | undefined =>
  restoreFacts('## Goal\n- x', [rule, goal], tokens)
    .text.split('\n')
    .find((line) => line.startsWith('- Goal: '))

describe('restoreFacts', () => {
  it.each([
    ['whole where the room is ample', 400, goal.text],
    ['as its first sentence', 120, SENTENCE],
    ['as its first clause', 60, 'Move the order desk from the cron jobs to the queue'],
    ['cut at a word', 28, 'Move the order desk from the cron jobs …'],
  ])('tells the goal %s', (_, tokens, wanted) => {
    expect(goalLine(tokens)).toBe(`- Goal: ${wanted}`)
  })

  it('never passes its tokens, and leaves rules whole or out', () => {
    for (let tokens = 0; tokens < 80; tokens += 4) {
      const { text } = restoreFacts('x', [rule, goal], tokens)
      expect(Buffer.byteLength(text.slice(1)) / 4).toBeLessThanOrEqual(tokens + 1)
      if (text.includes('User constraint')) expect(text).toContain(rule.text)
    }
  })
})
