import { asBuffer } from '../../domain/as-buffer.ts'
import { promptConversation } from '../../domain/dialects/prompt-frames/prompt-conversation.ts'
import { once } from '../../domain/once.ts'
import { type Audit, type AuditedRegion, auditSummary, auditWarnings } from '../../domain/summary/audit.ts'
import { EMBEDDED_TOKENS } from '../../domain/summary/budgets.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { type RegionFacts, regionFacts } from '../../domain/summary/region-facts.ts'
import { askedHeadings } from '../../domain/text/headings.ts'
import { type ParsedPrompt, parsePrompt } from '../../domain/transcript/parse-prompt.ts'
import { MIXTURE_PREFIX } from '../../models/candidate-ids.ts'
import type { Completion } from '../../models/model.ts'
import { DEFAULT_MAX_TOKENS } from '../../models/output-cap.ts'
import { type Prompt, spelledPrompt, textPrompt } from '../../models/prompt.ts'
import { callModel } from '../model-call.ts'
import type { CallContext, PipelineCall, PipelineDeps } from '../pipeline-context.ts'
import { selectModel } from '../select-model.ts'
import type { SummarizeRequest, SummarizeResult } from './summarize-schema.ts'

/** The body of the answer, and what belongs to its `x-recapd-cache` header. */
export type Summarized = SummarizeResult & { readonly cache: Completion['cache'] }

/** One prompt, one checked summary. */
export async function summarize(
  { request, context, deps, emit }: PipelineCall<SummarizeRequest>,
  signal: AbortSignal,
): Promise<Summarized> {
  const { prompt, parsed } = promptOf(request, context, deps)
  const checked = parsed !== null && askedHeadings(parsed.instructions).length > 0 ? parsed : null
  const model = selectModel(request, context, deps)
  // Without headings nothing is audited; a mixture still ranks its references by what they kept.
  const read = checked ?? (model.candidates.some(({ id }) => id.startsWith(MIXTURE_PREFIX)) ? parsed : null)
  const region = read === null ? null : regionOf(read)
  const maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS
  const { completion, rows } = await callModel(
    {
      kind: 'summary',
      system: wellFormed(systemText(request.systemPrompt)),
      prompt,
      maxTokens,
      embedded: { tokens: request.maxTokens ?? EMBEDDED_TOKENS },
      expects: checked === null ? 'text' : 'headings',
      answer: read === null || region === null ? undefined : expectedAnswer({ ...read, region }),
    },
    { model, context, deps, emit, onFailure: 'error', isOnly: true },
    signal,
  )
  const { text, model: answeredBy, usage, attempts, degraded, warnings, cache } = completion
  const audited =
    checked === null || region === null || degraded
      ? undefined
      : audit(completion, { ...checked, ...region, maxTokens }, deps)
  return {
    summary: audited?.text ?? text,
    model: answeredBy,
    usage,
    attempts,
    degraded,
    warnings: audited === undefined ? warnings : [...warnings, ...auditWarnings(audited.audit)],
    calls: rows.length > 1 || audited !== undefined ? rows : undefined,
    audit: audited?.audit,
    cache,
  }
}

/** Throws where no model may answer. */
export function trySummarize({ request, context, deps }: PipelineCall<SummarizeRequest>): void {
  selectModel(request, context, deps)
}

const systemText = (systemPrompt: string | readonly string[]): string =>
  typeof systemPrompt === 'string' ? systemPrompt : systemPrompt.join('\n\n')

interface ReadPrompt {
  readonly prompt: Prompt
  /** Null where there is no conversation, or where nobody wants to know. */
  readonly parsed: ParsedPrompt | null
}

function promptOf(request: SummarizeRequest, context: CallContext, { defaults }: PipelineDeps): ReadPrompt {
  const { plainPrompt, promptJson } = context
  if (plainPrompt !== undefined) return { prompt: spelledPrompt(plainPrompt), parsed: null }
  const text = hasEscapes(context) ? wellFormed(request.prompt) : request.prompt
  const isAsItCame = promptJson !== undefined && text === request.prompt
  return {
    prompt: isAsItCame ? spelledPrompt(promptJson, { text }) : textPrompt(text),
    parsed: defaults.auditSummarize ? parsePrompt(text) : null,
  }
}

/** Without an escape of four digits no JSON text holds NUL or a lone surrogate. */
const hasEscapes = ({ promptJson }: CallContext): boolean =>
  promptJson === undefined || asBuffer(promptJson).includes('\\u')

const NUL = /\0/

/** The prompt goes out as it came, but for what no provider takes: NUL and lone surrogates (docs/spec/models.md §10). */
function wellFormed(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  // A search for NUL itself stops at every other byte of a text with wide characters.
  return NUL.test(whole) ? whole.replaceAll('\0', '\uFFFD') : whole
}

interface Region extends AuditedRegion, Pick<RegionFacts, 'userWords'> {}

/**
 * Read when first asked for: the embedded model's answers are neither judged nor audited. Nothing else of the conversation is kept, which
 * would lie about for as long as a model takes.
 */
function regionOf(parsed: ParsedPrompt): Region {
  const read = once(() => {
    const previous = { summary: parsed.previousSummary ?? '', durable: null }
    const { facts, held, userWords } = regionFacts(promptConversation(parsed), previous)
    return { facts, userWords, held: { files: held.files } }
  })
  return {
    get facts() {
      return read().facts
    },
    get userWords() {
      return read().userWords
    },
    get held() {
      return read().held
    },
  }
}

interface Checked extends ParsedPrompt, Region {
  readonly maxTokens: number
}

function audit({ text }: Completion, parsed: Checked, { observer }: PipelineDeps): { text: string; audit: Audit } {
  const audited = auditSummary({
    summary: text,
    region: parsed,
    source: [parsed.conversation],
    budgetTokens: parsed.maxTokens,
    previousSummary: parsed.previousSummary,
  })
  observer.audit(audited.audit.kept, audited.audit.restored.length)
  return audited
}
