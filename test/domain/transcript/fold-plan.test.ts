import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textTokens } from '../../../src/domain/tokens/text-tokens.ts'
import { foldBudget } from '../../../src/domain/transcript/fold-budget.ts'
import { framedPrompt, mergePrompt } from '../../../src/domain/transcript/fold-frame.ts'
import { type FoldInput, type FoldPart, type FoldPlan, planFold } from '../../../src/domain/transcript/fold-plan.ts'

const INSTRUCTIONS = 'Summarise the conversation above.\n\n## Goal\n[one line]'
const message = (i: number, bytes: number) =>
  `[${i % 2 === 0 ? 'User' : 'Assistant'}]: m${i}-begin ${'word '.repeat(Math.ceil(bytes / 5)).slice(0, bytes)} m${i}-end`
const promptOf = (messages: readonly string[], rest = INSTRUCTIONS) =>
  `<conversation>\n${messages.join('\n\n')}\n</conversation>\n\n${rest}`
const input = (prompt: string, more: Partial<FoldInput> = {}): FoldInput => ({
  prompt,
  systemTokens: 20,
  windowTokens: 8_000,
  maxTokens: 500,
  leadTokens: 60,
  carryTokens: 0,
  ...more,
})
function partsOf(plan: FoldPlan) {
  if (plan.kind !== 'parts') throw new Error(`planned ${plan.kind}`)
  return plan
}

const textOf = ({ text, start, end }: FoldPart, prompt: string): string => text ?? prompt.slice(start, end)

describe('foldBudget', () => {
  const room = { windowTokens: 100_000, maxTokens: 10_000, carriedTokens: 2_000, instructionTokens: 1_000 }
  it('is four fifths of the window without answer, carried summary and instructions', () => {
    expect(foldBudget(room)).toBe(67_000)
  })
  it('has a floor of an eighth of the window, between 1024 and 16384', () => {
    expect(foldBudget({ ...room, carriedTokens: 90_000 })).toBe(12_500)
    expect(foldBudget({ ...room, windowTokens: 1_000_000, carriedTokens: 900_000 })).toBe(16_384)
    expect(foldBudget({ windowTokens: 4_000, maxTokens: 1_000, carriedTokens: 3_000, instructionTokens: 100 })).toBe(
      1_024,
    )
  })
  it('is never more than the window has beside answer and instructions', () => {
    expect(foldBudget({ windowTokens: 2_000, maxTokens: 1_000, carriedTokens: 0, instructionTokens: 300 })).toBe(700)
  })
})

describe('planFold', () => {
  it('reads at once what fits', () => {
    expect(planFold(input(promptOf(Array.from({ length: 18 }, (_, i) => message(i, 1_000)))))).toEqual({
      kind: 'whole',
    })
  })

  it('cannot fold a prompt without a conversation, or without room', () => {
    expect(planFold(input('word '.repeat(20_000)))).toEqual({ kind: 'unfoldable' })
    const prompt = promptOf([message(0, 60_000)], 'instruction '.repeat(3_000))
    expect(planFold(input(prompt)).kind).toBe('unfoldable')
  })

  it('splits at messages into balanced parts that have every message exactly once', () => {
    const prompt = promptOf(Array.from({ length: 48 }, (_, i) => message(i, 1_000)))
    const plan = partsOf(planFold(input(prompt)))
    expect(plan.parts).toHaveLength(3)
    expect(plan.messages).toBe(48)
    for (let i = 0; i < 48; i += 1) {
      const home = plan.parts.map((part) => textOf(part, prompt)).filter((text) => text.includes(`m${i}-begin`))
      expect(home).toHaveLength(1)
      expect(home[0]).toContain(`m${i}-end`)
    }
    const sizes = plan.parts.map(({ start, end }) => end - start)
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.1)
  })

  it('loses no byte of the conversation unless it says so', () => {
    const blocks = fc.array(
      fc.tuple(
        fc.constantFrom('User', 'Assistant', 'Tool result', 'Odd'),
        fc.string({ unit: 'grapheme', maxLength: 300 }),
      ),
      { minLength: 1, maxLength: 60 },
    )
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1_500, max: 6_000 }), (pairs, windowTokens) => {
        const messages = pairs.map(([label, text]) => `[${label}]: ${text.repeat(10)}`)
        const prompt = promptOf(messages)
        const plan = planFold(input(prompt, { windowTokens, maxTokens: 300 }))
        if (plan.kind !== 'parts') return
        const joined = plan.parts.map((part) => textOf(part, prompt)).join('')
        if (plan.parts.every(({ removed }) => removed === 0)) expect(joined).toBe(messages.join('\n\n'))
        expect(plan.parts[0]?.from).toBe(0)
        expect(plan.parts.at(-1)?.to).toBe(plan.messages)
        plan.parts.forEach((part, i) => {
          if (i > 0) expect(part.from).toBe(plan.parts[i - 1]?.to)
          const call = framedPrompt(plan.frame, textOf(part, prompt), { lead: 'x'.repeat(240) })
          expect(textTokens(call) + 20 + 300).toBeLessThanOrEqual(windowTokens)
        })
      }),
      { seed: 43, numRuns: 150 },
    )
  })

  it('cuts a message over the budget in its middle and counts what is gone', () => {
    const giant = `[Assistant]: head-mark ${'log line. '.repeat(4_000)} waist-mark ${'log line. '.repeat(4_000)} tail-mark`
    const prompt = promptOf([message(0, 50), giant, message(2, 50)])
    const plan = partsOf(planFold(input(prompt)))
    const text = plan.parts.map((part) => textOf(part, prompt)).join('')
    expect(text).toContain('head-mark')
    expect(text).toContain('tail-mark')
    expect(text).not.toContain('waist-mark')
    expect(text).toContain('m2-begin')
    expect(plan.parts.reduce((sum, { removed }) => sum + removed, 0)).toBeGreaterThan(50_000)
  })

  it('tells places, not texts: as a message to another thread it is short, however long the prompt', () => {
    const plan = planFold(input(promptOf(Array.from({ length: 480 }, (_, i) => message(i, 1_000)))))
    expect(partsOf(plan).parts.length).toBeGreaterThan(20)
    expect(JSON.stringify(plan).length).toBeLessThan(5_000)
  })

  it('takes tags inside the data for data', () => {
    const messages = Array.from({ length: 48 }, (_, i) => `${message(i, 1_000)}\n</conversation>\n<conversation>`)
    const plan = partsOf(planFold(input(promptOf(messages))))
    expect(plan.messages).toBe(48)
  })

  it('splits a text without labels at its paragraphs', () => {
    const text = Array.from({ length: 60 }, (_, i) => `p${i} ${'word '.repeat(200)}`).join('\n\n')
    const prompt = promptOf([text])
    const plan = partsOf(planFold(input(prompt)))
    expect(plan.parts.length).toBeGreaterThan(1)
    expect(plan.parts.map((part) => textOf(part, prompt)).join('')).toBe(text)
  })

  it('leaves room for the summary carried from part to part', () => {
    const prompt = promptOf(Array.from({ length: 48 }, (_, i) => message(i, 1_000)))
    const aside = partsOf(planFold(input(prompt, { maxTokens: 2_000 })))
    expect(partsOf(planFold(input(prompt, { maxTokens: 2_000, carryTokens: 2_000 }))).parts.length).toBeGreaterThan(
      aside.parts.length,
    )
  })

  it('plans megabytes without a pause', () => {
    const prompt = promptOf(Array.from({ length: 8_000 }, (_, i) => message(i, 1_000)))
    const plan = partsOf(planFold(input(prompt, { windowTokens: 128_000, maxTokens: 16_384 })))
    expect(plan.messages).toBe(8_000)
  })
})

describe('framedPrompt and mergePrompt', () => {
  const rest = `<previous-summary>\nOld heron.\n</previous-summary>\n\n<additional-context>\n- ticket 7\n</additional-context>\n\n${INSTRUCTIONS}`
  const plan = partsOf(
    planFold(
      input(
        `Read this.\n${promptOf(
          Array.from({ length: 48 }, (_, i) => message(i, 1_000)),
          rest,
        )}`,
      ),
    ),
  )

  it('keep everything around the conversation, the summary only where it is asked for', () => {
    const part = framedPrompt(plan.frame, '[User]: hi', { lead: 'Part 1 of 3:' })
    expect(part).toBe(
      `Read this.\n\n<conversation>\n[User]: hi\n</conversation>\n\n<additional-context>\n- ticket 7\n</additional-context>\n\nPart 1 of 3:\n\n${INSTRUCTIONS}`,
    )
    expect(framedPrompt(plan.frame, 'x', { carried: 'Old heron.' })).toContain(
      '<previous-summary>\nOld heron.\n</previous-summary>',
    )
  })

  it('put the parts in order behind the previous summary', () => {
    const merge = mergePrompt(plan.frame, ['one', 'two'], { carried: 'Old heron.', lead: 'Merge 2:' })
    expect(merge.indexOf('Old heron.')).toBeLessThan(merge.indexOf('one'))
    expect(merge.indexOf('one')).toBeLessThan(merge.indexOf('two'))
    expect(merge).toContain('ticket 7')
    expect(merge.endsWith(`Merge 2:\n\n${INSTRUCTIONS}`)).toBe(true)
  })

  it('put instructions that stood in front behind each part, once', () => {
    const front = `${INSTRUCTIONS}\n\n<conversation>\n${Array.from({ length: 48 }, (_, i) => message(i, 1_000)).join('\n\n')}\n</conversation>`
    const part = framedPrompt(partsOf(planFold(input(front))).frame, '[User]: hi')
    expect(part).toBe(`<conversation>\n[User]: hi\n</conversation>\n\n${INSTRUCTIONS}`)
  })
})
