import { type ErrorCode, RecapdError } from '../../domain/errors.ts'
import type { AttemptOutcome, AttemptRow } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { DeadlineError } from './deadline.ts'

/** Asking again cannot cure these (docs/spec/models.md §10): 424, which agents do not retry. */
const PERMANENT: ReadonlySet<AttemptOutcome> = new Set<AttemptOutcome>([
  'auth',
  'quota',
  'not_found',
  'bad_request',
  'refused',
  'overflow',
  'not_a_summary',
])
const QUEUE: ReadonlySet<AttemptOutcome> = new Set<AttemptOutcome>(['queue_full', 'queue_timeout'])
/** Rows of candidates that were never asked, or were stopped by us: no verdict on the chain. */
const SKIPPED: ReadonlySet<AttemptOutcome> = new Set<AttemptOutcome>(['breaker_open', 'key_resting', 'aborted'])

type FailureCode = Extract<
  ErrorCode,
  'deadline-exceeded' | 'overloaded' | 'no-model-available' | 'models-unusable' | 'nothing-fits' | 'models-failed'
>

const SENTENCES: Readonly<Record<FailureCode, string>> = {
  'deadline-exceeded': 'The deadline passed before a model answered; allow more time or send less',
  overloaded: 'Every queue in front of the models is full; try again a little later',
  'no-model-available': 'Every model is resting after failures; try again at the time given',
  'models-unusable': 'No model can answer this until configuration or request change',
  'nothing-fits': 'The prompt is too long for every model and cannot be split; shorten it or add a larger model',
  'models-failed': 'Every model failed, at least one for a passing reason; try again later',
}

// The cause stands in the first 200 characters (docs/spec/contract.md §0).
const MOST_CHARACTERS = 200
/** Where nothing says when a queue has room again. */
const QUEUE_RETRY_MS = 1_000

/** How a failed chain answers (docs/spec/models.md §10): which problem, the cause of each candidate by its outcome, all rows. */
export function chainFailure(error: ModelError): RecapdError {
  const rows = error.facts.attempts ?? []
  const judged = rows.length > 0 ? rows : [{ model: error.model, outcome: error.outcome, durationMs: 0 }]
  const code = error instanceof DeadlineError ? 'deadline-exceeded' : codeFor(judged, error)
  return new RecapdError(code, sentence(SENTENCES[code], rows), {
    cause: error,
    attempts: rows,
    retryAfterMs: retryAfter(code, error),
  })
}

function codeFor(rows: readonly AttemptRow[], error: ModelError): FailureCode {
  const every = (list: readonly AttemptRow[], set: ReadonlySet<AttemptOutcome>) =>
    list.every(({ outcome }) => set.has(outcome))
  if (every(rows, SKIPPED)) return restsForGood(rows, error) ? 'models-unusable' : 'no-model-available'
  const asked = rows.filter(({ outcome }) => !SKIPPED.has(outcome))
  if (every(asked, QUEUE)) return 'overloaded'
  if (rows.every(({ outcome }) => outcome === 'overflow')) return 'nothing-fits'
  return every(asked, PERMANENT) ? 'models-unusable' : 'models-failed'
}

/** Every key of every candidate rests because its account is empty or it was refused: waiting cannot mend that. */
function restsForGood(rows: readonly AttemptRow[], error: ModelError): boolean {
  return (
    rows.every(({ outcome }) => outcome === 'key_resting') &&
    failuresOf(error).every(({ facts }) => facts.permanent === true)
  )
}

/** The last failure of each candidate, as fallback.ts bundles them. */
function failuresOf(error: ModelError): readonly ModelError[] {
  const { cause } = error.facts
  return cause instanceof AggregateError ? cause.errors.filter((one) => one instanceof ModelError) : [error]
}

function retryAfter(code: FailureCode, { facts }: ModelError): number | undefined {
  if (code === 'overloaded') return facts.retryAfterMs ?? QUEUE_RETRY_MS
  const passing = code === 'no-model-available' || code === 'models-failed'
  return passing ? facts.retryAfterMs : undefined
}

/** "<what failed, and what would mend it>: alpha/small server_error ×3, beta/small timeout." within the first 200 characters. */
function sentence(head: string, rows: readonly AttemptRow[]): string {
  const causes = causesOf(rows)
  const shown: string[] = []
  // Room for ": ", " and 12 more" and the full stop.
  let room = MOST_CHARACTERS - head.length - 16
  for (const cause of causes) {
    if (cause.length + 2 > room) break
    shown.push(cause)
    room -= cause.length + 2
  }
  if (shown.length === 0) return `${head}.`
  const hidden = causes.length - shown.length
  return `${head}: ${shown.join(', ')}${hidden === 0 ? '' : ` and ${hidden} more`}.`
}

function causesOf(rows: readonly AttemptRow[]): string[] {
  const counts = new Map<string, number>()
  for (const { model, outcome } of rows) {
    // A mixture that failed may have had references that did not.
    if (outcome !== 'ok') counts.set(`${model} ${outcome}`, (counts.get(`${model} ${outcome}`) ?? 0) + 1)
  }
  return Array.from(counts, ([cause, count]) => (count === 1 ? cause : `${cause} ×${count}`))
}
