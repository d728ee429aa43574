import { factShare } from '../../domain/summary/judge/fact-share.ts'
import { render } from '../../domain/text/render.ts'
import type { Clock } from '../clock.ts'
import { DeadlineError, LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { type Completion, type CompletionRequest, type Model, NO_USAGE } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { ModelObserver } from '../observer.ts'
import { textPrompt } from '../prompt.ts'
import { linkedController } from '../signals/linked-signal.ts'
import { type Settled, settle } from '../signals/settle.ts'
import { withoutDeltas } from '../signals/tracked-listener.ts'
import { type CallLedger, openLedger } from '../wrappers/folding/call-ledger.ts'

export interface MixtureOptions {
  /** `moa/<name>`. */
  readonly id: string
  /** In the order of the configuration. Whole candidates: each retries (once) and folds by itself. */
  readonly references: readonly Model[]
  readonly aggregator: Model
  readonly minSuccessful: number
  /** For one reference, its retry included. */
  readonly referenceTimeoutMs: number
  /** `prompts/moa-aggregate.md`, with the slot `candidates`. */
  readonly template: string
  readonly clock: Clock
  readonly observer: ModelObserver
}

/** A reference's own time limits should end it first: they know what it was doing. */
const GRACE_MS = 50
/** References may use this share of the time that is left: the aggregator has to answer after them. */
const REFERENCE_SHARE = 0.7

/**
 * Mixture of agents as one more model (docs/spec/models.md §8): the references answer side by side, the aggregator makes one answer
 * out of theirs. Fewer than minSuccessful → `references_failed`. Its window is the smallest of all its models.
 */
export function mixture(options: MixtureOptions): Model {
  const models = [...options.references, options.aggregator]
  return {
    id: options.id,
    contextWindow: Math.min(...models.map(({ contextWindow }) => contextWindow)),
    maxOutputTokens: options.aggregator.maxOutputTokens,
    async complete(request, signal) {
      const ledger = openLedger(options.clock)
      const startedAt = options.clock.now()
      const attempts = (outcome: 'ok' | 'overflow' | 'references_failed') => {
        const row = { model: options.id, outcome, durationMs: Math.round(options.clock.now() - startedAt) }
        // Tokens and dollars are counted with the calls below already.
        options.observer.attempt({ row, usage: NO_USAGE, asker: request })
        request.listener?.attempt?.(row)
        return [...ledger.attempts(), row]
      }
      const settled = await referencesOf(options, request, ledger, signal)
      const answers = settled.flatMap((one) => ('completion' in one ? [one.completion] : []))
      if (answers.length === 0 || answers.length < options.minSuccessful) {
        // Too long for all of them: then a larger window helps, or folding (docs/spec/models.md §2), and trying again does not.
        const isTooLong = settled.every((one) => 'error' in one && one.error.outcome === 'overflow')
        const outcome = isTooLong ? 'overflow' : 'references_failed'
        throw new ModelError(options.id, outcome, { attempts: attempts(outcome), usage: ledger.usage() })
      }
      const answer = await oneOf(options, { request, answers }, ledger, signal)
      const totals = { usage: ledger.usage(), attempts: attempts('ok'), calls: ledger.calls() }
      return { ...answer, ...totals, model: options.id, method: 'moa' }
    },
  }
}

/** What became of each, in the order of the configuration: a reference never throws (docs/spec/lists.md §19.4). */
async function referencesOf(
  options: MixtureOptions,
  request: CompletionRequest,
  ledger: CallLedger,
  signal: AbortSignal,
): Promise<Settled[]> {
  const quiet = request.listener === undefined ? request : { ...request, listener: withoutDeltas(request.listener) }
  const startedAt = options.clock.now()
  const timeoutMs = Math.min(options.referenceTimeoutMs, REFERENCE_SHARE * leftMs(request, options.clock))
  const ask = async (model: Model) => {
    // The aggregator reads them all: a reference that was cut still says something.
    const own = { ...quiet, takesCut: true, deadlineAt: startedAt + timeoutMs }
    return settle(model, timed(ledger, { model, request: own, clock: options.clock }, signal), signal)
  }
  return Promise.all(options.references.map(ask))
}

/** A reference that hangs costs its own timeout and no more, whatever it does with its deadline. */
async function timed(
  ledger: CallLedger,
  { model, request, clock }: { readonly model: Model; readonly request: CompletionRequest; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Completion> {
  const call = linkedController(signal)
  const cancelTimeout = clock.after(request.deadlineAt + GRACE_MS - clock.now(), () =>
    call.abort(new DeadlineError(model.id)),
  )
  try {
    return await ledger.ask({ kind: 'reference', model, request }, call.signal)
  } finally {
    cancelTimeout()
    call.unlink()
  }
}

/** The only answer as it is, else what the aggregator makes of all, else the best of them. */
async function oneOf(
  options: MixtureOptions,
  { request, answers }: { readonly request: CompletionRequest; readonly answers: readonly Completion[] },
  ledger: CallLedger,
  signal: AbortSignal,
): Promise<Completion> {
  const [first] = answers
  const missing = options.references.length - answers.length
  const warnings = missing === 0 ? [] : [`${missing} of ${options.references.length} references gave no answer.`]
  if (first !== undefined && answers.length === 1) return { ...first, warnings: [...first.warnings, ...warnings] }
  const aggregate = { ...request, prompt: textPrompt(aggregatePrompt(options.template, request.prompt.text, answers)) }
  const settled = await settle(options.aggregator, askAggregator(options, aggregate, ledger, signal), signal)
  if ('completion' in settled) return { ...settled.completion, warnings: [...settled.completion.warnings, ...warnings] }
  const best = bestOf(answers, request)
  const why = `The aggregator failed (${settled.error.outcome}); this is the best of ${answers.length} references.`
  return { ...best, warnings: [...best.warnings, ...warnings, why] }
}

async function askAggregator(
  { id, aggregator, clock }: MixtureOptions,
  request: CompletionRequest,
  ledger: CallLedger,
  signal: AbortSignal,
): Promise<Completion> {
  if (leftMs(request, clock) < LEAST_ATTEMPT_MS) throw new DeadlineError(id)
  return ledger.ask({ kind: 'aggregate', model: aggregator, request }, signal)
}

/** The guidance is appended to the original prompt, so that providers can reuse the prefix (docs/spec/lists.md §19.5). */
function aggregatePrompt(template: string, prompt: string, answers: readonly Completion[]): string {
  const candidates = answers.map(({ text }, i) => `<answer number="${i + 1}">\n${text}\n</answer>`).join('\n\n')
  return `${prompt}\n\n${render(template, { candidates })}`
}

/** The answer that holds most of what must not be lost; the first in configured order where the request names no facts. */
function bestOf(answers: readonly Completion[], { answer }: CompletionRequest): Completion {
  const scores = answers.map(({ text }) => factShare(text, answer?.facts ?? []).share)
  const best = answers[scores.indexOf(Math.max(...scores))]
  if (best === undefined) throw new RangeError('There is no best of no answers')
  return best
}
