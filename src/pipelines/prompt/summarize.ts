import { type Audit, auditSummary } from '../../domain/summary/audit.ts'
import { askedHeadings } from '../../domain/text/headings.ts'
import { type ParsedPrompt, parseBlocks, parsePrompt } from '../../domain/transcript/parse.ts'
import { regionFromBlocks } from '../../domain/transcript/region-from-blocks.ts'
import type { AttemptRow, CallRow, Completion, Usage } from '../../models/model.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipeline-context.ts'
import type { SummarizeRequest } from './summarize-schema.ts'

export interface SummarizeResult {
  readonly summary: string
  readonly model: string
  readonly usage: Usage
  readonly attempts: readonly AttemptRow[]
  readonly degraded: boolean
  readonly warnings: readonly string[]
  readonly calls?: readonly CallRow[]
  readonly audit?: Audit
  /** Not in the body: the `x-recapd-cache` header. */
  readonly cache: Completion['cache']
}

/** Output cap where the caller names none; the model's own maximum still holds (models.md §10). */
const DEFAULT_MAX_TOKENS = 16_384

/** One prompt, one checked summary. */
export async function summarize(
  request: SummarizeRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<SummarizeResult> {
  const startedAt = deps.now()
  const prompt = wellFormed(request.prompt)
  const parsed = deps.defaults.auditSummarize ? parsePrompt(prompt) : null
  const checked = parsed !== null && askedHeadings(parsed.instructions).length > 0 ? parsed : null
  const model = deps.models.select({
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(context.allowedModels === undefined ? {} : { allowed: context.allowedModels }),
  })
  const completion = await model.complete(
    {
      system: wellFormed(systemText(request.systemPrompt)),
      prompt,
      maxTokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
      expects: checked === null ? 'text' : 'headings',
      deadlineAt: context.deadlineAt,
      noCache: context.noCache,
      ...(context.promptJson === undefined || prompt !== request.prompt
        ? {}
        : { spelled: { text: prompt, json: context.promptJson } }),
      requestId: context.requestId,
      traceparent: context.traceparent,
      listener: emit && listenerOf(emit),
    },
    signal,
  )
  const audited =
    checked === null || completion.degraded ? undefined : audit(completion, checked, request.maxTokens, deps)
  const { text, model: answeredBy, usage, attempts, degraded, warnings, cache } = completion
  const calls = callsOf(completion, deps.now() - startedAt)
  return {
    summary: audited?.text ?? text,
    model: answeredBy,
    usage,
    attempts,
    degraded,
    warnings,
    ...(calls.length > 1 || audited !== undefined ? { calls } : {}),
    ...(audited === undefined ? {} : { audit: audited.audit }),
    cache,
  }
}

const systemText = (systemPrompt: string | readonly string[]): string =>
  typeof systemPrompt === 'string' ? systemPrompt : systemPrompt.join('\n\n')

/** The prompt goes out as it came, but for what no provider takes: NUL and lone surrogates (models.md §10). */
function wellFormed(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** Rows of what was called: those of a fold or a mixture, else the one completion itself. */
export function callsOf(completion: Completion, durationMs: number, kind = 'summary'): readonly CallRow[] {
  if (completion.calls.length > 0) return completion.calls
  return [{ kind, model: completion.model, usage: completion.usage, attempts: completion.attempts, durationMs }]
}

function listenerOf(emit: Emit) {
  return {
    attempt: (row: AttemptRow) => emit('attempt', row),
    delta: (text: string) => emit('delta', { text }),
    reset: () => emit('reset', {}),
  }
}

function audit(completion: Completion, parsed: ParsedPrompt, maxTokens: number | undefined, deps: PipelineDeps) {
  const region = regionFromBlocks(parseBlocks(parsed.conversation))
  const audited = auditSummary({
    summary: completion.text,
    region,
    budgetTokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    previousSummary: parsed.previousSummary,
  })
  deps.observer.audit(audited.audit.kept, audited.audit.restored.length)
  return audited
}
