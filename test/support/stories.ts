import fc from 'fast-check'
import type { Step, ToldCall } from './dialect-writers.ts'

/** Words of a length, told apart by their number. */
const words = fc
  .tuple(fc.constantFrom('look', 'change', 'why', '订单', 'añb😀'), fc.nat(120))
  .map(([word, n]) => `${word} `.repeat(1 + n).trim())

const step = fc.oneof(
  { weight: 2, arbitrary: words.map((user) => ({ kind: 'user' as const, text: user })) },
  { weight: 2, arbitrary: words.map((say) => ({ kind: 'say' as const, text: say })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        words,
        fc.array(fc.tuple(fc.constantFrom('write_file', 'edit_file', 'read_file'), fc.nat(400), fc.boolean()), {
          minLength: 1,
          maxLength: 3,
        }),
      )
      .map(([say, calls]) => ({ kind: 'calls' as const, text: say, calls })),
  },
)

/** The last step is an answer without calls: only a user may go on. */
function saidLast(steps: readonly Step[]): boolean {
  const last = steps.at(-1)
  return last !== undefined && 'say' in last && !('calls' in last)
}

/** A story that a provider would take: it opens with a user, and whoever spoke is answered. */
export const stories = fc.array(step, { minLength: 8, maxLength: 40 }).map((drafts): Step[] => {
  const steps: Step[] = [{ user: 'Do the work of the ticket.' }]
  let serial = 0
  for (const draft of drafts) {
    if (draft.kind === 'user') {
      if (!saidLast(steps)) steps.push({ say: 'yes' })
      steps.push({ user: `${draft.text} ${steps.length}` })
    } else if (draft.kind === 'say') {
      if (saidLast(steps)) steps.push({ user: `go on ${steps.length}` })
      steps.push({ say: `${draft.text} ${steps.length}` })
    } else {
      if (saidLast(steps)) steps.push({ user: `more ${steps.length}` })
      const calls = draft.calls.map(([name, size, failed]): ToldCall => {
        serial += 1
        const result = failed ? `Error: the file could not be changed, ${serial}` : `line ${serial} `.repeat(1 + size)
        return { id: `call_${serial}`, name, path: `src/part/file${serial}.ts`, result, failed }
      })
      steps.push({ say: draft.text, calls })
    }
  }
  return steps
})
