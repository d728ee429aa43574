import type { SessionSource } from '../domain/dialects/session-file.ts'
import type { CallContext } from './pipeline-context.ts'

/** What a body was read as: the kind of file, else the member that is there. */
export function sourceOf({
  request,
  context,
}: {
  readonly request: { readonly messages?: unknown }
  readonly context: CallContext
}): SessionSource {
  return context.readFrom?.source ?? (request.messages === undefined ? 'pi' : 'messages')
}
