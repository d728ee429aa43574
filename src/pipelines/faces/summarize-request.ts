import {
  isInstructionRow,
  partsOfRow,
  type RequestView,
  textOfPart,
  type Wire,
} from '../../domain/agents/request-view.ts'
import type { Dialect } from '../../domain/dialects/codec.ts'
import { parseMessages, readList } from '../../domain/dialects/parse-messages.ts'
import { readHistory } from '../../domain/dialects/prompt-frames/read-history.ts'
import type { Row } from '../../domain/dialects/row.ts'
import { RecapdError } from '../../domain/errors.ts'
import { isRecord } from '../../domain/is-record.ts'
import { asksForSummary } from '../../domain/text/structure/summary-request.ts'
import { parsePrompt } from '../../domain/transcript/parse-prompt.ts'
import { openItems } from '../items/open-items.ts'
import type { PipelineCall, PipelineDeps } from '../pipeline-context.ts'
import { type Summarized, summarize } from '../prompt/summarize.ts'
import { summarizeHistory } from '../prompt/summarize-history.ts'
import { liftSummaries, withoutSummaries } from './read-rows.ts'

/** A request in the shape of one of the wires, viewed. */
export interface FaceRequest {
  readonly view: RequestView
  /** Model id as the client sent it. */
  readonly model: unknown
  readonly maxTokens?: number | undefined
  readonly focus?: string | undefined
}

/** Dialect of the rows of each wire. */
export const DIALECT_OF: Readonly<Record<Wire, Dialect>> = {
  messages: 'anthropic',
  chat: 'openai',
  responses: 'responses',
  gemini: 'gemini',
}

/**
 * The summary that a request of any wire wants: of its one prompt, as `/summarize` makes it, or of its history, whose last
 * message is the instruction where it asks for a summary (docs/spec/reading.md §5).
 */
export function summarizeFaceRequest(call: PipelineCall<FaceRequest>, signal: AbortSignal): Promise<Summarized> {
  const { view, maxTokens, focus } = call.request
  const model = knownModel(call.request.model, call.deps)
  const { rows, previousSummary } = withoutSummaries(rowsOf(view, call.deps))
  const history = readHistory(rows, view.besideRows)
  if (history === null) return summarize({ ...call, request: { ...promptsOf(view), maxTokens, model } }, signal)
  const read = liftSummaries(history.conversation, previousSummary)
  return summarizeHistory({ ...call, request: { ...history, ...read, focus, maxTokens, model } }, signal)
}

/** Chat is read as it always was: what cannot be read there is skipped. The other wires refuse it (docs/spec/reading.md §3). */
export function rowsOf(view: RequestView, { items }: PipelineDeps): readonly Row[] {
  if (view.wire === 'chat') return readList(view.rows.filter(isRecord), 'openai').rows
  return parseMessages(openItems(view.rows, items), DIALECT_OF[view.wire], { member: view.list }).rows
}

/** Agents send model ids of their own: what is not configured means the default chain (docs/spec/models.md §10). */
export const knownModel = (asked: unknown, { models }: PipelineDeps): string | undefined =>
  models.known.find(({ id }) => id === asked)?.id

/** One system and one user text map straight; where the system text holds the conversation, both are the prompt. */
export function promptsOf({ wire, rows, list, system }: RequestView): { systemPrompt: string; prompt: string } {
  const prompt = rows
    .filter((row) => !isInstructionRow(row))
    .map((row) =>
      partsOfRow(wire, row)
        .map((part) => textOfPart(part) ?? '')
        .join(''),
    )
    .join('\n\n')
  if (prompt.trim() === '') {
    throw new RecapdError(
      'invalid-request',
      `${list}: no message but the system prompt has a text; send the prompt as a user message.`,
      { errors: [{ path: `/${list}`, message: 'expected a user message with a text' }] },
    )
  }
  const isInSystem = asksForSummary(prompt) && parsePrompt(prompt) === null && parsePrompt(system) !== null
  return isInSystem ? { systemPrompt: '', prompt: `${system}\n\n${prompt}` } : { systemPrompt: system, prompt }
}
