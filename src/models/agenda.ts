import { attemptsOf } from './attempts.ts'
import { EXTRACTIVE_ID } from './deadline.ts'
import type { AttemptRow, Model, ModelError, Outcome } from './model.ts'

/** Whom to ask next. `fold` false: only whole, because a candidate with a larger window is left. */
export interface Step {
  readonly candidate: Model
  readonly fold: boolean
}

/** The order in which candidates get their turn, and the rows of what became of them. */
export interface Agenda {
  next(): Step | null
  failed(step: Step, error: ModelError): void
  /** Who may be asked beside this step (hedge.ts); it then counts as asked once its failure is noted. */
  partner(step: Step): Model | undefined
  /** `answeredBy` got its turn in the end, so it was not passed over. */
  rows(answeredBy?: Model): AttemptRow[]
}

type State = 'fresh' | 'too-large' | 'done'

interface Entry {
  readonly candidate: Model
  state: State
}

interface Mark {
  readonly model: string
  readonly outcome: Outcome
  readonly rows: readonly AttemptRow[]
}

const isExtractive = ({ id }: Model) => id === EXTRACTIVE_ID

/**
 * First round: in order, each whole as long as a larger window is left behind it; after an overflow only larger windows.
 * Second round: those that were too small get the prompt again and may fold it (models.md §2: "a candidate with a larger
 * window, else re-plan smaller"). The embedded model takes any length, so it is no way out of an overflow.
 */
export function newAgenda(candidates: readonly Model[], mayFold: boolean): Agenda {
  const entries: Entry[] = candidates.map((candidate) => ({ candidate, state: 'fresh' }))
  const marks: Mark[] = []
  /** Largest window that was too small for the whole prompt, and for its folded parts. */
  let wholeLimit = 0
  let foldLimit = 0

  const larger = (entry: Entry, than: number) =>
    entry.state === 'fresh' && !isExtractive(entry.candidate) && entry.candidate.contextWindow > than
  const stepFor = ({ candidate }: Entry): Step => {
    const than = Math.max(wholeLimit, candidate.contextWindow)
    return { candidate, fold: mayFold && (isExtractive(candidate) || !entries.some((other) => larger(other, than))) }
  }
  const pass = ({ candidate }: Entry) => marks.push({ model: candidate.id, outcome: 'overflow', rows: [] })

  const firstRound = (): Entry | undefined => {
    if (wholeLimit === 0) return entries.find(({ state }) => state === 'fresh')
    const found = entries.find((entry) => larger(entry, wholeLimit))
    for (const entry of found === undefined ? [] : entries.slice(0, entries.indexOf(found))) {
      if (entry.state === 'fresh' && !isExtractive(entry.candidate)) pass(entry)
    }
    return found
  }
  const secondRound = (): Entry | undefined => {
    for (const entry of entries) {
      if (entry.state === 'done') continue
      if (isExtractive(entry.candidate)) return entry
      if (mayFold && entry.candidate.contextWindow > foldLimit) return entry
      entry.state = 'done'
      pass(entry)
    }
    return undefined
  }

  return {
    next() {
      const entry = firstRound()
      if (entry !== undefined) return stepFor(entry)
      const again = secondRound()
      return again === undefined ? null : { candidate: again.candidate, fold: mayFold }
    },
    failed({ candidate, fold }, error) {
      const entry = entries.find((one) => one.candidate === candidate && one.state !== 'done')
      if (entry !== undefined) entry.state = error.outcome === 'overflow' && mayFold && !fold ? 'too-large' : 'done'
      marks.push({ model: candidate.id, outcome: error.outcome, rows: attemptsOf(error) })
      if (error.outcome !== 'overflow') return
      wholeLimit = Math.max(wholeLimit, candidate.contextWindow)
      if (fold || !mayFold) foldLimit = Math.max(foldLimit, candidate.contextWindow)
    },
    partner(step) {
      if (wholeLimit > 0) return undefined
      const at = entries.findIndex(({ candidate }) => candidate === step.candidate)
      return entries.slice(at + 1).find(({ candidate, state }) => state === 'fresh' && !isExtractive(candidate))
        ?.candidate
    },
    rows: (answeredBy) =>
      marks.flatMap((mark, i) => {
        if (mark.rows.length > 0) return mark.rows
        // Who was passed over has a row of its own, unless its turn came after all or it had one before.
        const hasRow = marks.some(({ model, rows }, j) => model === mark.model && (j > i || rows.length > 0))
        return hasRow || mark.model === answeredBy?.id
          ? []
          : [{ model: mark.model, outcome: mark.outcome, durationMs: 0 }]
      }),
  }
}
