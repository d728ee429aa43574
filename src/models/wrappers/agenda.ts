import { EXTRACTIVE_ID } from '../candidate-ids.ts'
import { attemptsOf } from '../failures/attempts.ts'
import type { AttemptOutcome, AttemptRow, Model } from '../model.ts'
import type { ModelError } from '../model-error.ts'

/** Whom to ask next. `fold` false: only whole, because a candidate with a larger window is left. */
export interface AgendaStep {
  readonly candidate: Model
  readonly fold: boolean
}

interface Entry {
  readonly candidate: Model
  /** `too-large`: was asked for the whole in vain, may be asked again and fold. */
  state: 'fresh' | 'too-large' | 'done'
}

/** What came of a candidate; without rows it was passed over. */
interface Mark {
  readonly model: string
  readonly outcome: AttemptOutcome
  readonly rows: readonly AttemptRow[]
}

const isExtractive = ({ id }: Model) => id === EXTRACTIVE_ID

/**
 * The order in which candidates get their turn, and the rows of what became of them. First round: in order, each whole as
 * long as a larger window is left after it; after an overflow only larger windows. Second round: those that were too small
 * get the prompt again and may fold it (docs/spec/models.md §2: "a candidate with a larger window, else re-plan smaller"). The
 * embedded model takes any length, so another overflow says nothing about it.
 */
export class Agenda {
  readonly #entries: readonly Entry[]
  readonly #mayFold: boolean
  readonly #marks: Mark[] = []
  /** Largest window that was too small for the whole prompt, and for its folded parts. */
  #wholeLimit = 0
  #foldLimit = 0

  constructor(candidates: readonly Model[], mayFold: boolean) {
    this.#entries = candidates.map((candidate) => ({ candidate, state: 'fresh' }))
    this.#mayFold = mayFold
  }

  next(): AgendaStep | null {
    const entry = this.#firstRound()
    if (entry !== undefined) return this.#whole(entry)
    const again = this.#secondRound()
    return again === undefined ? null : { candidate: again.candidate, fold: this.#mayFold }
  }

  failed({ candidate, fold }: AgendaStep, error: ModelError): void {
    const overflow = error.outcome === 'overflow'
    const entry = this.#entries.find((one) => one.candidate === candidate)
    if (entry !== undefined) entry.state = overflow && this.#mayFold && !fold ? 'too-large' : 'done'
    this.#marks.push({ model: candidate.id, outcome: error.outcome, rows: attemptsOf(error) })
    if (!overflow) return
    const { windowTokens = candidate.contextWindow } = error.facts
    this.#wholeLimit = Math.max(this.#wholeLimit, windowTokens)
    if (fold || !this.#mayFold) this.#foldLimit = Math.max(this.#foldLimit, windowTokens)
  }

  /** Who may be asked beside this step (hedge.ts); it counts as asked once its failure is noted. */
  partner(step: AgendaStep): Model | undefined {
    if (this.#wholeLimit > 0) return undefined
    const at = this.#entries.findIndex(({ candidate }) => candidate === step.candidate)
    const behind = this.#entries.slice(at + 1)
    return behind.find(({ candidate, state }) => state === 'fresh' && !isExtractive(candidate))?.candidate
  }

  /** `answeredBy` got its turn in the end, so it was not passed over. */
  rows(answeredBy?: Model): AttemptRow[] {
    return this.#marks.flatMap((mark, i) => {
      if (mark.rows.length > 0) return mark.rows
      // Who was passed over has a row of its own, unless its turn came after all or it had one before.
      const hasRow = this.#marks.some(({ model, rows }, j) => model === mark.model && (j > i || rows.length > 0))
      return hasRow || mark.model === answeredBy?.id
        ? []
        : [{ model: mark.model, outcome: mark.outcome, durationMs: 0 }]
    })
  }

  #firstRound(): Entry | undefined {
    if (this.#wholeLimit === 0) return this.#entries.find(({ state }) => state === 'fresh')
    const found = this.#entries.findIndex((entry) => isLarger(entry, this.#wholeLimit))
    if (found < 0) return undefined
    for (const { candidate, state } of this.#entries.slice(0, found)) {
      if (state === 'fresh' && !isExtractive(candidate)) this.#passOver(candidate)
    }
    return this.#entries[found]
  }

  #secondRound(): Entry | undefined {
    for (const entry of this.#entries) {
      if (entry.state === 'done') continue
      if (isExtractive(entry.candidate)) return entry
      if (this.#mayFold && entry.candidate.contextWindow > this.#foldLimit) return entry
      entry.state = 'done'
      this.#passOver(entry.candidate)
    }
    return undefined
  }

  #whole({ candidate }: Entry): AgendaStep {
    const than = Math.max(this.#wholeLimit, candidate.contextWindow)
    const wayOut = !isExtractive(candidate) && this.#entries.some((other) => isLarger(other, than))
    return { candidate, fold: this.#mayFold && !wayOut }
  }

  #passOver(candidate: Model): void {
    this.#marks.push({ model: candidate.id, outcome: 'overflow', rows: [] })
  }
}

function isLarger({ candidate, state }: Entry, thanTokens: number): boolean {
  return state === 'fresh' && !isExtractive(candidate) && candidate.contextWindow > thanTokens
}
