import fc from 'fast-check'
import { type SessionBuilder, text, usage } from './session-builder.ts'

/** One thing that happens in a session. Numbers are sizes in tokens. */
export type Step =
  | { readonly kind: 'user' | 'assistant' | 'custom' | 'branch' | 'bash' | 'developer'; readonly tokens: number }
  | { readonly kind: 'tools'; readonly sizes: readonly number[]; readonly isLate: boolean; readonly reusesIds: boolean }
  | { readonly kind: 'label' | 'model' | 'orphan' | 'open' | 'oracle' | 'aborted' }

const speech = fc.record({
  kind: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'custom', 'branch', 'bash', 'developer'),
  tokens: fc.integer({ min: 1, max: 60 }),
})
const tools = fc.record({
  kind: fc.constant('tools'),
  sizes: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 3 }),
  isLate: fc.boolean(),
  reusesIds: fc.boolean(),
})
const other = fc.record({ kind: fc.constantFrom('label', 'model', 'orphan', 'open', 'oracle', 'aborted') })

export const steps = fc.array(fc.oneof({ weight: 4, arbitrary: speech }, { weight: 4, arbitrary: tools }, other), {
  minLength: 1,
  maxLength: 40,
}) as fc.Arbitrary<Step[]>

function addTools(builder: SessionBuilder, step: Step & { readonly kind: 'tools' }): void {
  const stem = step.reusesIds ? 'call' : `call-${builder.rows.length}`
  const calls = step.sizes.map((_, index) => ({ id: `${stem}-${index}`, name: 'bash', arguments: { n: index } }))
  builder.assistant('', calls, { usage: usage(100 + builder.rows.length) })
  for (const [index, tokens] of step.sizes.entries()) {
    if (step.isLate && index === step.sizes.length - 1) builder.user('steer')
    builder.result(`${stem}-${index}`, text(tokens))
  }
}

const ADD: Readonly<Record<Exclude<Step['kind'], 'tools'>, (builder: SessionBuilder, tokens: number) => void>> = {
  user: (builder, tokens) => void builder.user(text(tokens)),
  assistant: (builder, tokens) => void builder.assistant(text(tokens)),
  custom: (builder, tokens) => void builder.custom(text(tokens)),
  branch: (builder, tokens) => void builder.branchSummary(text(tokens)),
  bash: (builder, tokens) => void builder.bash('make', text(tokens)),
  developer: (builder, tokens) => void builder.message({ role: 'developer', content: text(tokens) }),
  label: (builder) => void builder.add({ type: 'label', targetId: 'x' }),
  model: (builder) => void builder.add({ type: 'model_change', model: 'a/b' }),
  orphan: (builder) => void builder.result('nobody', 'orphan'),
  open: (builder) => void builder.assistant('', [{ id: `open-${builder.rows.length}`, name: 'bash' }]),
  oracle: (builder) => void builder.message({ role: 'oracle', content: 'unknown' }),
  aborted: (builder) => void builder.assistant('', [], { stopReason: 'aborted' }),
}

/** Appends the steps at the builder's leaf. */
export function addSteps(builder: SessionBuilder, list: readonly Step[]): SessionBuilder {
  for (const step of list) {
    if (step.kind === 'tools') addTools(builder, step)
    else ADD[step.kind](builder, 'tokens' in step ? step.tokens : 0)
  }
  return builder
}
