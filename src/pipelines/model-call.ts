import { RecapdError } from '../domain/errors.ts'
import { EXTRACTIVE_ID } from '../models/candidate-ids.ts'
import type { CallRow, Completion, CompletionListener, CompletionRequest, SelectedModel } from '../models/model.ts'
import type { CallContext, PipelineDeps } from './pipeline-context.ts'
import type { Emit } from './pipeline-event.ts'

/** One prompt of a pipeline. `kind` names it in `calls` and in events: summary, history, prefix, short, branch, list. */
export interface CallSpec extends Pick<CompletionRequest, 'system' | 'prompt' | 'fold' | 'answer' | 'embedded'> {
  readonly kind: string
  readonly maxTokens: number
  readonly expects: 'text' | 'headings'
  /** How long before the deadline the call gives up, so that something can still be done without its answer. */
  readonly spareMs?: number | undefined
}

/** What every call of one pass shares. */
export interface PassCaller {
  readonly model: SelectedModel
  readonly context: CallContext
  readonly deps: PipelineDeps
  readonly emit: Emit | undefined
  /** Where all models failed: `fallback` makes the summary without one (docs/spec/contract.md §3, onFailure). */
  readonly onFailure: 'error' | 'fallback'
  /** True where the answer is the only call's: its events then name no kind (docs/spec/contract.md §1). */
  readonly isOnly?: boolean | undefined
}

export interface Called {
  readonly completion: Completion
  readonly rows: readonly CallRow[]
  /** Why the embedded model stood in for the others. */
  readonly failure: RecapdError | undefined
}

/** Time kept before the deadline for making a summary without a model, where the caller wants one rather than an error. */
export const FALLBACK_SPARE_MS = 1_000

/** Asks the chain, or, where that failed for good and the caller wants it, the embedded model. */
export async function callModel(spec: CallSpec, caller: PassCaller, signal: AbortSignal): Promise<Called> {
  if (caller.onFailure === 'error') return ask(spec, caller, signal)
  try {
    // A model that hangs until the deadline must not take the fallback along.
    const spareMs = FALLBACK_SPARE_MS + (spec.spareMs ?? 0)
    return await ask({ ...spec, spareMs }, caller, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RecapdError)) throw error
    const model = caller.deps.models.select({ model: EXTRACTIVE_ID })
    const called = await ask(spec, { ...caller, model }, signal)
    const attempts = [...(error.extras.attempts ?? []), ...called.completion.attempts]
    const warning = `All models failed for the ${spec.kind} (${error.code}); its summary was made without a language model.`
    const completion = { ...called.completion, attempts, warnings: [...called.completion.warnings, warning] }
    return { completion, rows: called.rows.map((row) => ({ ...row, attempts })), failure: error }
  }
}

async function ask(spec: CallSpec, caller: PassCaller, signal: AbortSignal): Promise<Called> {
  signal.throwIfAborted()
  const { model, context, deps, emit } = caller
  const startedAt = deps.now()
  const { kind, spareMs = 0, ...prompt } = spec
  const completion = await model.complete(
    {
      ...prompt,
      deadlineAt: spared(context.deadlineAt, spareMs, startedAt),
      noCache: context.noCache,
      requestId: context.requestId,
      caller: context.callerName,
      traceparent: context.traceparent,
      listener: listenerOf(caller, kind),
    },
    signal,
  )
  if (caller.isOnly !== true) emit?.({ name: 'summary', data: { kind } })
  return { completion, rows: callRowsOf(completion, kind, deps.now() - startedAt), failure: undefined }
}

/** A deadline brought forward; of a short time never more than a quarter is set aside. */
function spared(deadlineAt: number, spareMs: number, nowMs: number): number {
  return deadlineAt - Math.min(spareMs, Math.max(0, Math.floor((deadlineAt - nowMs) / 4)))
}

function listenerOf({ emit, isOnly }: PassCaller, kind: string): CompletionListener | undefined {
  if (emit === undefined) return undefined
  const of = { kind: isOnly === true ? undefined : kind }
  return {
    attempt: (row) => emit({ name: 'attempt', data: { ...of, ...row } }),
    delta: (text) => emit({ name: 'delta', data: { ...of, text } }),
    reset: () => emit({ name: 'reset', data: of }),
    room: () => emit.room?.(),
  }
}

/** Rows of what was called: those of a fold or a mixture, else the one completion itself. */
function callRowsOf(completion: Completion, kind: string, durationMs: number): readonly CallRow[] {
  if (completion.calls.length > 0) return completion.calls
  return [{ kind, model: completion.model, usage: completion.usage, attempts: completion.attempts, durationMs }]
}
