import type { Dialect } from '../../domain/dialects/codec.ts'
import { type ParsedList, parseMessages } from '../../domain/dialects/parse-messages.ts'
import { openItems } from '../items/open-items.ts'
import type { CallContext, PipelineCall } from '../pipeline-context.ts'

/** The list of a request, read in the dialect it names, else in that of the file it came in, else found from its rows; compaction items of ours are opened. */
export function openList(
  { messages, format }: { readonly messages?: unknown; readonly format?: Dialect | undefined },
  { context, deps }: Pick<PipelineCall<unknown>, 'context' | 'deps'>,
): ParsedList {
  const rows: unknown = Array.isArray(messages) ? openItems(messages, deps.items) : messages
  return parseMessages(rows, format ?? context.readFrom?.format)
}

/** Warnings from reading a list. */
export const readingWarnings = ({ unread }: ParsedList, { readWarnings }: CallContext): readonly string[] => [
  ...readWarnings,
  ...unread.warnings,
]
