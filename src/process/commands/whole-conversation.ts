import { parseMessages } from '../../domain/dialects/parse-messages.ts'
import type { Row } from '../../domain/dialects/row.ts'
import { RecapdError } from '../../domain/errors.ts'
import { CommandError, EXIT } from './command.ts'
import { faultLines } from './fault-lines.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import type { Input } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'

/** Everything that is live in a file, as the rows of a list; a session's earlier summary is the first of them. */
export async function wholeConversation(
  pipelines: OpenPipelines,
  input: Input,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  if (input.kind === 'body' && input.body['messages'] !== undefined) return rowsOf(input, input.body['messages'])
  const parameters = { format: 'openai' }
  const json = await runEndpoint(pipelines, { endpoint: 'context', input, parameters }, signal)
  return rowsOf(input, (JSON.parse(json) as { readonly messages: unknown }).messages)
}

function rowsOf({ name }: Input, list: unknown): readonly Row[] {
  try {
    return parseMessages(list).rows
  } catch (error) {
    if (error instanceof RecapdError) throw new CommandError(EXIT.data, faultLines(error, name).join('\n'))
    throw error
  }
}
