import type { Completion } from '../model.ts'
import type { Leftover } from '../model-error.ts'

const WARNINGS: Readonly<Record<Leftover['why'], string>> = {
  cut: 'The answer reached its token limit twice or stops inside a sentence; its end is missing.',
  soft: 'No model did better: the answer holds few of the facts or is written in another language.',
  none: 'No model wrote the summary that was asked for; this is the best of their answers.',
}

/** The better one of two refused answers: usable before others, then by the audit's score, `first` of equals. */
export function betterLeftover(first: Leftover | undefined, second: Leftover | undefined): Leftover | undefined {
  if (first === undefined || second === undefined) return first ?? second
  if (first.isUsable !== second.isUsable) return first.isUsable ? first : second
  return second.score > first.score ? second : first
}

/** A refused answer as the answer, with the warning that says why it was refused; never cached. Its rows stand in its failure. */
export function takenLeftover({ completion, why }: Leftover): Completion {
  return { ...completion, attempts: [], truncated: true, warnings: [...completion.warnings, WARNINGS[why]] }
}
