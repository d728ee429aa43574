import { isRecord } from '../../is-record.ts'
import { type BlockSource, readBlocks } from '../blocks/read-blocks.ts'
import { type BlockWriter, type Unit, writeBlocks } from '../blocks/write-blocks.ts'
import { type Codec, type Fit, type Loose, noRepair } from '../codec.ts'
import { parseArguments } from '../parse-arguments.ts'
import { CallNames, respondedIn } from './call-names.ts'
import { isResponsePart, viewOfGeminiPart } from './parts.ts'

const ROLES: ReadonlySet<unknown> = new Set([undefined, 'user', 'model', 'function', 'system'])

/** Gemini contents: `role` and `parts`, calls that mostly have no ids. */
export const geminiCodec: Codec<BlockSource> = {
  mergesAdjacent: true,
  fit,
  blocksOf: ({ parts }) => (Array.isArray(parts) ? parts : null),
  knows: () => true,
  read: (messages) => {
    const names = new CallNames(messages)
    return readBlocks(messages, {
      field: 'parts',
      roleOf: ({ role }) => (role === 'model' ? 'assistant' : role === 'system' ? 'system' : 'user'),
      read: (part) => viewOfGeminiPart(part, names),
    })
  },
  repair: noRepair,
  write: (rows) => writeBlocks(rows, WRITER),
}

function fit({ role, parts, content, type }: Loose): Fit {
  if (!ROLES.has(role) || !Array.isArray(parts) || content !== undefined || type !== undefined) return 'no'
  return parts.every(
    (part: unknown) => typeof part === 'string' || (isRecord(part) && typeof part['type'] !== 'string'),
  )
    ? 'own'
    : 'no'
}

const WRITER: BlockWriter = {
  field: 'parts',
  roleOf: (role) => (role === 'assistant' ? 'model' : role === 'tool' ? 'user' : role),
  takesText: false,
  text: (text) => ({ text }),
  withArguments: (part, args) => inside(part, ['functionCall', 'function_call'], { args: parseArguments(args) }),
  withContent: (part, content) => {
    const [texts, media] = typeof content === 'string' ? [content, []] : [textsOf(content), content.filter(isMedia)]
    const before = responseIn(part)
    const response = before['error'] === undefined ? { output: texts } : { error: texts }
    return inside(
      part,
      ['functionResponse', 'function_response'],
      media.length === 0 ? { response, parts: undefined } : { response, parts: media },
    )
  },
  isResult: isResponsePart,
  isEmpty: (part) => isRecord(part) && part['text'] === '' && Object.keys(part).length === 1,
  joins,
}

/** Responses stand alone in their row, and two rows that came as two are two. */
function joins(one: Unit, other: Unit): boolean {
  if (one.whole !== undefined && other.whole !== undefined) return false
  if (one.source !== undefined && one.source === other.source) return true
  return holdsResponse(one) === holdsResponse(other)
}

const holdsResponse = ({ content }: Unit): boolean => Array.isArray(content) && content.some(isResponsePart)

function inside(part: unknown, names: readonly string[], fields: Loose): unknown {
  if (!isRecord(part)) return part
  const name = names.find((each) => isRecord(part[each]))
  const held = name === undefined ? undefined : part[name]
  return name === undefined || !isRecord(held) ? part : { ...part, [name]: { ...held, ...fields } }
}

function responseIn(part: unknown): Loose {
  const held = isRecord(part) ? respondedIn(part) : undefined
  return isRecord(held) && isRecord(held['response']) ? held['response'] : {}
}

function textsOf(content: readonly unknown[]): string {
  return content
    .flatMap((part) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
}

const isMedia = (part: unknown): boolean => isRecord(part) && typeof part['text'] !== 'string'
