import { convertRows } from '../../domain/dialects/convert-rows.ts'
import type { ContextRequest, ContextResult } from '../context-schema.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import { openList, readingWarnings } from './open-list.ts'

/** The messages of a list, or of the live part of another agent's file: as they are, or as another provider takes them. */
export function listContext({ request, context, deps }: PipelineCall<ContextRequest>): Omit<ContextResult, 'source'> {
  const { messages, format } = request
  const list = openList({ messages }, { context, deps })
  const isOther = (format === 'openai' || format === 'anthropic') && format !== list.format
  return {
    messages: isOther ? convertRows(list.rows, format) : list.messages,
    model: null,
    thinkingLevel: 'off',
    warnings: readingWarnings(list, context),
  }
}
