import { readSessionFile, type SessionFile } from '../domain/dialects/session-file.ts'
import { RecapdError } from '../domain/errors.ts'
import { handoffText } from '../domain/list/assemble/handoff.ts'
import type { ReadBody, WorkCall } from './call.ts'
import type { Endpoint } from './endpoints.ts'
import { queryParameters } from './query-parameters.ts'
import { readNdjson } from './read-ndjson.ts'

const decoder = new TextDecoder()

/** The JSON of a body, or a session file as it lies on disk with the parameters of the query (docs/spec/contract.md §0). */
export function readBody({ bytes, mediaType, query, endpoint }: WorkCall, { request }: Endpoint): ReadBody {
  const text = decoder.decode(bytes)
  if (mediaType === 'ndjson') return readFile(text, queryParameters(query, request), endpoint === 'branch-summary')
  try {
    return { body: JSON.parse(text), warnings: [] }
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}

function readFile(text: string, parameters: Record<string, unknown>, needsTree: boolean): ReadBody {
  const { rows, warnings } = readNdjson(text)
  const file = readSessionFile(rows)
  if (file.source === 'pi')
    return { body: { ...parameters, entries: file.entries }, warnings, readFrom: { source: 'pi', measuredTokens: 0 } }
  if (needsTree)
    throw new RecapdError(
      'no-entries',
      `The file is read as ${file.source}, which has no branches to leave; send a pi or omp session file.`,
    )
  const { source, format, measuredTokens } = file
  return { body: { ...parameters, messages: listOf(file) }, warnings, readFrom: { source, format, measuredTokens } }
}

/** A list opens with the summary of the file's last compaction, in our own form, where no message of it holds that. */
function listOf({ messages, previousSummary }: Exclude<SessionFile, { readonly source: 'pi' }>): readonly object[] {
  if (previousSummary === null) return messages
  const content = [{ type: 'input_text', text: handoffText(previousSummary) }]
  return [{ type: 'message', role: 'user', content }, ...messages]
}
