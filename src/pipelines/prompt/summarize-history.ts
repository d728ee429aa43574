import type { Conversation } from '../../domain/conversation/conversation.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import { auditSummary, auditWarnings } from '../../domain/summary/audit.ts'
import { EMBEDDED_TOKENS } from '../../domain/summary/budgets.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { regionFacts } from '../../domain/summary/region-facts.ts'
import { cleanCharacters } from '../../domain/text/clean.ts'
import { askedHeadings } from '../../domain/text/headings.ts'
import { redact } from '../../domain/text/redact.ts'
import { asksForSummary } from '../../domain/text/structure/summary-request.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import { DEFAULT_MAX_TOKENS } from '../../models/output-cap.ts'
import { textPrompt } from '../../models/prompt.ts'
import { callModel } from '../model-call.ts'
import type { PipelineCall, PipelineDeps } from '../pipeline-context.ts'
import { selectModel } from '../select-model.ts'
import type { Summarized } from './summarize.ts'

/** A conversation that came as a history, not as a prompt. */
export interface HistoryRequest {
  readonly conversation: Conversation
  /** The caller's own system prompt; kept where it asks for the summary, too. */
  readonly system: string
  /** What the caller asks for, word for word; null: a record by this service's own list prompt. */
  readonly instruction: string | null
  /** Earlier summaries that stood in the history. */
  readonly previousSummary?: string | undefined
  /** What to keep above all; used by our own prompt only. */
  readonly focus?: string | undefined
  /** Our own prompt's headings are required: the caller can do better without an answer than with a bad one. */
  readonly isStrict?: boolean | undefined
  readonly maxTokens?: number | undefined
  readonly model?: string | undefined
}

/**
 * One checked summary of a conversation: serialized like a list, folded, audited and redacted as on `/compact` (docs/spec/reading.md
 * §5). Instructions are followed, never summarised as part of the conversation.
 */
export async function summarizeHistory(
  { request, context, deps, emit }: PipelineCall<HistoryRequest>,
  signal: AbortSignal,
): Promise<Summarized> {
  const transcript = serialize(request.conversation)
  const region = regionFacts(request.conversation, { summary: request.previousSummary ?? '', durable: null })
  const { system, prompt, instructions, expects } = promptOf(request, transcript, deps)
  const maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS
  const model = selectModel(request, context, deps)
  const { completion, rows } = await callModel(
    {
      kind: 'summary',
      system,
      prompt: textPrompt(prompt),
      maxTokens,
      embedded: { tokens: request.maxTokens ?? EMBEDDED_TOKENS },
      expects,
      answer: expectedAnswer({ instructions, previousSummary: request.previousSummary, region }),
    },
    { model, context, deps, emit, onFailure: 'error', isOnly: true },
    signal,
  )
  const { text, audit } = auditSummary({
    summary: completion.text,
    region,
    source: [transcript],
    budgetTokens: maxTokens,
    previousSummary: request.previousSummary,
  })
  deps.observer.audit(audit.kept, audit.restored.length)
  const { model: answeredBy, usage, attempts, degraded, warnings, cache } = completion
  const calls = rows.length === 0 ? undefined : rows
  return {
    summary: redact(text),
    model: answeredBy,
    usage,
    attempts,
    degraded,
    warnings: [...warnings, ...auditWarnings(audit)],
    calls,
    audit,
    cache,
  }
}

interface Asked {
  readonly system: string
  readonly prompt: string
  readonly instructions: string
  readonly expects: 'text' | 'headings'
}

function promptOf(
  { system, instruction, previousSummary, focus, isStrict = false }: HistoryRequest,
  transcript: string,
  { prompts }: PipelineDeps,
): Asked {
  const own = asksForSummary(system) ? redact(cleanCharacters(system)) : prompts['summarization-system']
  if (instruction === null) {
    const { prompt, instructions } = assemblePrompt(
      { kind: 'list', conversation: transcript, previousSummary, focus },
      prompts,
    )
    // Nobody asked for headings, so an answer without them is fine.
    return { system: own, prompt, instructions, expects: isStrict ? 'headings' : 'text' }
  }
  const asked = redact(cleanCharacters(focus === undefined ? instruction : `${instruction}\n\n${focus}`))
  const before =
    previousSummary === undefined ? '' : `<previous-summary>\n${redact(previousSummary)}\n</previous-summary>\n\n`
  return {
    system: own,
    prompt: `<conversation>\n${transcript}\n</conversation>\n\n${before}${asked}`,
    instructions: asked,
    expects: askedHeadings(asked).length > 0 ? 'headings' : 'text',
  }
}
