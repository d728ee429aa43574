import type { Dialect } from '../../domain/dialects/codec.ts'
import { type ParsedList, parseMessages } from '../../domain/dialects/parse-messages.ts'
import type { CallContext } from '../pipeline-context.ts'

/** The list of a request, read in the dialect it names, else in that of the file it came in, else found from its rows. */
export function openList(
  { messages, format }: { readonly messages?: unknown; readonly format?: Dialect | undefined },
  { readFrom }: CallContext,
): ParsedList {
  return parseMessages(messages, format ?? readFrom?.format)
}

/** What reading a list has to say to its caller. */
export const readingWarnings = ({ unread }: ParsedList, { readWarnings }: CallContext): readonly string[] => [
  ...readWarnings,
  ...unread.warnings,
]
