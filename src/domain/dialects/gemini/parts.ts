import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import type { BlockView } from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { mediaKind, mediumPart } from '../media.ts'
import { opaquePart } from '../opaque.ts'
import { jsonText } from '../row.ts'
import type { RowPart } from '../row-part.ts'
import { type CallNames, calledIn, respondedIn } from './call-names.ts'

type Reader = (held: unknown, part: Loose, names: CallNames) => BlockView

const note: Reader = (_held, part) => ({ type: 'note', quarters: wireQuarters(part), from: part })

const blob: Reader = (held, part) => {
  const { data, displayName, mimeType, mime_type, fileUri, file_uri } = objectOf(held)
  const mediaType = String(mimeType ?? mime_type ?? '')
  return mediumPart({
    media: mediaKind(mediaType),
    mediaType,
    name: displayName,
    data: data ?? fileUri ?? file_uri,
    from: part,
  })
}

/** All part types of Gemini contents, by the field that a part has; SDKs write them in camelCase or as the wire has them. */
const PARTS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['functionCall', (held, _part, names) => callOf(objectOf(held), names)],
  ['function_call', (held, _part, names) => callOf(objectOf(held), names)],
  ['functionResponse', (held, _part, names) => responseOf(objectOf(held), names)],
  ['function_response', (held, _part, names) => responseOf(objectOf(held), names)],
  ['inlineData', blob],
  ['inline_data', blob],
  ['fileData', blob],
  ['file_data', blob],
  ['executableCode', ranCode],
  ['executable_code', ranCode],
  ['codeExecutionResult', ranOutput],
  ['code_execution_result', ranOutput],
  ['toolCall', ranTool],
  ['toolResponse', ranAnswer],
  ['text', textOrThought],
  ['thoughtSignature', note],
  ['thought_signature', note],
])

export function viewOfGeminiPart(part: unknown, names: CallNames): BlockView {
  if (typeof part === 'string') return { type: 'text', text: part, from: part }
  if (!isRecord(part)) return opaquePart(part, 'part')
  const isSet = (name: string): boolean => part[name] !== undefined && part[name] !== null
  for (const [name, reader] of PARTS) if (isSet(name)) return reader(part[name], part, names)
  return opaquePart(part, Object.keys(part).find(isSet))
}

const isCallOrResponse = (part: unknown): boolean =>
  isRecord(part) && (calledIn(part) ?? respondedIn(part)) !== undefined

export const isResponsePart = (part: unknown): boolean => isRecord(part) && respondedIn(part) !== undefined

function objectOf(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

function textOrThought(held: unknown, part: Loose): BlockView {
  const text = String(held ?? '')
  return part['thought'] === true
    ? { type: 'thinking', text, quarters: wireQuarters(part), from: part }
    : { type: 'text', text, from: part }
}

function callOf(held: Loose, names: CallNames): BlockView {
  const name = String(held['name'] ?? 'unknown')
  return { type: 'call', id: names.next(), name, args: jsonText(held['args']) }
}

/** `error` marks a failure, `output` a plain text; every other response is told as it is. */
function responseOf(held: Loose, names: CallNames): BlockView {
  const id = names.next()
  const response = objectOf(held['response'])
  const isError = response['error'] !== undefined && response['error'] !== null
  const keys = Object.keys(response)
  const only = keys.length === 1 ? response[keys[0] ?? ''] : response
  const text = jsonText(isError ? response['error'] : only)
  // Only media stand there: a call inside a response is nobody's.
  const inner: readonly unknown[] = Array.isArray(held['parts']) ? held['parts'] : []
  const media = inner.filter((part) => !isCallOrResponse(part)).map((part) => viewOfGeminiPart(part, names))
  const parts = media.filter((view): view is RowPart => view.type !== 'call' && view.type !== 'result')
  return { type: 'result', id, content: parts.length === 0 ? text : [{ type: 'text', text }, ...parts], isError }
}

function ranCode(held: unknown, part: Loose, names: CallNames): BlockView {
  const { code, id } = objectOf(held)
  return {
    type: 'ran-call',
    id: names.ran(id),
    name: 'code_execution',
    args: JSON.stringify({ code }),
    needsResult: false,
    quarters: wireQuarters(part),
    from: part,
  }
}

function ranOutput(held: unknown, part: Loose, names: CallNames): BlockView {
  const { outcome, output, id } = objectOf(held)
  const isError = outcome !== undefined && outcome !== 'OUTCOME_OK'
  return {
    type: 'ran-result',
    id: names.ranResult(id),
    text: jsonText(output),
    isError,
    quarters: wireQuarters(part),
    from: part,
  }
}

function ranTool(held: unknown, part: Loose, names: CallNames): BlockView {
  const { id, toolType, args } = objectOf(held)
  return {
    type: 'ran-call',
    id: names.ran(id),
    name: String(toolType ?? 'tool').toLowerCase(),
    args: jsonText(args),
    needsResult: false,
    quarters: wireQuarters(part),
    from: part,
  }
}

function ranAnswer(held: unknown, part: Loose, names: CallNames): BlockView {
  const { id, response } = objectOf(held)
  return {
    type: 'ran-result',
    id: names.ranResult(id),
    text: jsonText(response),
    isError: false,
    quarters: wireQuarters(part),
    from: part,
  }
}
