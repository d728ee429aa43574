import { RecapdError } from '../domain/errors.ts'
import { EXTRACTIVE_ID } from '../models/deadline.ts'
import type { CallRow, Completion, CompletionListener, Model, Usage } from '../models/model.ts'
import type { CallContext, Emit, PipelineDeps } from './pipeline-context.ts'

/** One prompt of a pipeline. `kind` names it in `calls` and in events: history, prefix, short, branch, list. */
export interface CallSpec {
  readonly kind: string
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly expects: 'text' | 'headings'
  readonly fold?: boolean
}

/** What every call of one pass shares. */
export interface Caller {
  readonly model: Model
  readonly context: CallContext
  readonly deps: PipelineDeps
  readonly emit: Emit | undefined
  /** Where all models failed: `fallback` makes the summary without one (http-api §3, onFailure). */
  readonly onFailure: 'error' | 'fallback'
}

export interface Called {
  readonly completion: Completion
  readonly rows: readonly CallRow[]
}

/** Asks the chain, or, where that failed for good and the caller wants it, the embedded model. */
export async function callModel(spec: CallSpec, caller: Caller, signal: AbortSignal): Promise<Called> {
  try {
    return await ask(spec, caller.model, caller, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (caller.onFailure === 'error' || !(error instanceof RecapdError)) throw error
    const last = caller.deps.models.select({ model: EXTRACTIVE_ID })
    const called = await ask(spec, last, caller, signal)
    const attempts = [...((error.extras.attempts ?? []) as Completion['attempts']), ...called.completion.attempts]
    const warning = `All models failed for the ${spec.kind} (${error.code}); its summary was made without a language model.`
    const completion = { ...called.completion, attempts, warnings: [...called.completion.warnings, warning] }
    return { completion, rows: called.rows.map((row) => ({ ...row, attempts })) }
  }
}

async function ask(
  spec: CallSpec,
  model: Model,
  { context, deps, emit }: Caller,
  signal: AbortSignal,
): Promise<Called> {
  const startedAt = deps.now()
  const { kind, ...prompt } = spec
  const completion = await model.complete(
    {
      ...prompt,
      deadlineAt: context.deadlineAt,
      noCache: context.noCache,
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
      ...(emit === undefined ? {} : { listener: listenerOf(emit, kind) }),
    },
    signal,
  )
  emit?.('summary', { kind })
  return { completion, rows: callRowsOf(completion, kind, deps.now() - startedAt) }
}

function listenerOf(emit: Emit, kind: string): CompletionListener {
  return {
    attempt: (row) => emit('attempt', { kind, ...row }),
    delta: (text) => emit('delta', { kind, text }),
    reset: () => emit('reset', { kind }),
  }
}

/** Rows of what was called: those of a fold or a mixture, else the one completion itself. */
export function callRowsOf(completion: Completion, kind: string, durationMs: number): readonly CallRow[] {
  if (completion.calls.length > 0) return completion.calls
  return [{ kind, model: completion.model, usage: completion.usage, attempts: completion.attempts, durationMs }]
}

/** Sum over all completions of a pass; dollars keep their cents exact enough for a sum of a few. */
export function sumUsage(completions: readonly Completion[]): Usage {
  let [inputTokens, outputTokens, costUsd] = [0, 0, 0]
  for (const { usage } of completions) {
    inputTokens += usage.inputTokens
    outputTokens += usage.outputTokens
    costUsd += usage.costUsd
  }
  return { inputTokens, outputTokens, costUsd }
}

/**
 * Runs the calls side by side; the first that fails aborts its siblings, so that nothing is paid for a pass that is lost.
 * Resolves in the order given.
 */
export async function inParallel<T>(
  calls: readonly ((signal: AbortSignal) => Promise<T>)[],
  signal: AbortSignal,
): Promise<T[]> {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  try {
    return await Promise.all(calls.map((call) => call(controller.signal)))
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    signal.removeEventListener('abort', follow)
  }
}
