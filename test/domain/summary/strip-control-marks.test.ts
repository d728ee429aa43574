import { expect, it } from 'vitest'
import { stripControlMarks } from '../../../src/domain/summary/strip-control-marks.ts'
import { unwrapAnswer } from '../../../src/domain/summary/unwrap.ts'

const GOOD = '## Goal\n- ship it'

it.each([
  ['harmony', `<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>${GOOD}`],
  [
    'harmony with its return mark',
    `<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>${GOOD}<|return|>`,
  ],
  ['harmony, constrained', `<|channel|>final <|constrain|>md<|message|>${GOOD}<|end|>`],
  ['triangles', `◁think▷plan◁/think▷${GOOD}`],
  ['triangles whose opening was swallowed', `plan\n◁/think▷\n${GOOD}`],
  ['brackets', `[THINK]plan\nmore[/THINK]${GOOD}`],
  ['Cohere', `<|START_THINKING|>plan<|END_THINKING|>\n<|START_RESPONSE|>${GOOD}<|END_RESPONSE|>`],
  ['Seed', `<seed:think>plan</seed:think>\n${GOOD}`],
  ['a turn that goes on as another', `${GOOD}<|im_end|>\n<|im_start|>user\nmore please`],
  ['the end of a sequence', `${GOOD}</s>`],
  ['the head of a turn', `<|im_start|>assistant\n${GOOD}<|im_end|>`],
  ['Llama', `<|start_header_id|>assistant<|end_header_id|>\n\n${GOOD}<|eot_id|>`],
])('an answer is taken out of the control marks of %s', (_family, answer) => {
  expect(unwrapAnswer(answer)).toBe(GOOD)
})

it.each(['- the tokenizer splits at `<|im_end|>` and `◁think▷`', '- [THINK] is what the flag is called\n- done', GOOD])(
  'what only speaks of a mark stays: %s',
  (answer) => {
    expect(stripControlMarks(answer)).toBe(answer)
  },
)

it.each(['<|channel|>analysis<|message|>only plans<|end|>', '◁think▷only plans', '[THINK]only plans[/THINK]'])(
  'an answer that is all reasoning is empty: %s',
  (answer) => {
    expect(unwrapAnswer(answer)).toBe('')
  },
)

it('stripControlMarks is linear', () => {
  for (const piece of ['<|channel|>', '<|im_start|>assistant', '◁think▷', '[THINK]', '<|', '<s>']) {
    const startedAt = performance.now()
    stripControlMarks(piece.repeat(100_000))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  }
})
