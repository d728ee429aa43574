import { isRecord } from '../../is-record.ts'
import { type BlockSource, readBlocks } from '../blocks/read-blocks.ts'
import { type BlockWriter, writeBlocks } from '../blocks/write-blocks.ts'
import { type Codec, type Fit, type Loose, noRepair } from '../codec.ts'
import { parseArguments } from '../parse-arguments.ts'
import { partText } from '../row.ts'
import { isResultPart, knowsVercelPart, viewOfVercelPart } from './parts.ts'

/** AI SDK ModelMessages: a tool row holds the results of one answer. */
export const vercelCodec: Codec<BlockSource> = {
  mergesAdjacent: false,
  fit,
  blocksOf: ({ content }) => (Array.isArray(content) ? content : typeof content === 'string' ? [] : null),
  knows: knowsVercelPart,
  read: (messages) =>
    readBlocks(messages, { field: 'content', roleOf: (message) => String(message['role']), read: viewOfVercelPart }),
  repair: noRepair,
  write: (rows) => writeBlocks(rows, WRITER),
}

function fit(message: Loose): Fit {
  const { role, content, type, tool_calls: calls, parts } = message
  if (type !== undefined || calls !== undefined || parts !== undefined) return 'no'
  if (role === 'tool') return Array.isArray(content) && content.every(isToolPart) ? 'own' : 'no'
  if (role === 'system') return typeof content === 'string' ? 'may' : 'no'
  return role === 'user' || role === 'assistant' ? 'may' : 'no'
}

const isToolPart = (part: unknown): boolean =>
  isRecord(part) && typeof part['type'] === 'string' && /^tool-/.test(part['type'])

const WRITER: BlockWriter = {
  field: 'content',
  roleOf: (role) => (role === '' ? 'tool' : role),
  takesText: true,
  text: (text) => ({ type: 'text', text }),
  withArguments: (part, args) => {
    if (!isRecord(part)) return part
    return { ...part, [part['input'] === undefined ? 'args' : 'input']: parseArguments(args) }
  },
  withContent: (part, content) => (isRecord(part) ? withOutput(part, content) : part),
  isResult: (part) => isResultPart(part) || (isRecord(part) && part['type'] === 'tool-approval-response'),
  isEmpty: (part) => isRecord(part) && part['type'] === 'text' && partText(part) === '',
  joins: (one, other) => one.role === 'tool' && one.source !== undefined && one.source === other.source,
}

function withOutput(part: Loose, content: string | readonly unknown[]): Loose {
  if (part['output'] === undefined) return { ...part, result: content }
  const before = isRecord(part['output']) ? part['output']['type'] : ''
  const failed = before === 'error-text' || before === 'error-json'
  const output =
    typeof content === 'string'
      ? { type: failed ? 'error-text' : 'text', value: content }
      : { type: 'content', value: content }
  return { ...part, output }
}
