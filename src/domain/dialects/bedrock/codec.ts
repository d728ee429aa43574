import { isRecord } from '../../is-record.ts'
import { type BlockSource, readBlocks } from '../blocks/read-blocks.ts'
import { type BlockWriter, writeBlocks } from '../blocks/write-blocks.ts'
import { type Codec, type Fit, type Loose, noRepair } from '../codec.ts'
import { parseArguments } from '../parse-arguments.ts'
import { isResultBlock, viewOfBedrockBlock } from './blocks.ts'

/** Bedrock Converse: blocks without a type, roles that alternate strictly. */
export const bedrockCodec: Codec<BlockSource> = {
  mergesAdjacent: true,
  fit,
  blocksOf: ({ content }) => (Array.isArray(content) ? content : null),
  knows: () => true,
  read: (messages) =>
    readBlocks(messages, { field: 'content', roleOf: (message) => String(message['role']), read: viewOfBedrockBlock }),
  repair: noRepair,
  write: (rows) => writeBlocks(rows, WRITER),
}

function fit({ role, content, type, parts, tool_calls: calls }: Loose): Fit {
  if ((role !== 'user' && role !== 'assistant') || !Array.isArray(content)) return 'no'
  if (type !== undefined || parts !== undefined || calls !== undefined) return 'no'
  if (content.length === 0) return 'may'
  return content.every((block: unknown) => isRecord(block) && typeof block['type'] !== 'string') ? 'own' : 'no'
}

const WRITER: BlockWriter = {
  field: 'content',
  roleOf: (role) => (role === 'tool' ? 'user' : role),
  takesText: false,
  text: (text) => ({ text }),
  withArguments: (block, args) =>
    isRecord(block) && isRecord(block['toolUse'])
      ? { ...block, toolUse: { ...block['toolUse'], input: parseArguments(args) } }
      : block,
  withContent: (block, content) =>
    isRecord(block) && isRecord(block['toolResult'])
      ? {
          ...block,
          toolResult: { ...block['toolResult'], content: typeof content === 'string' ? [{ text: content }] : content },
        }
      : block,
  isResult: isResultBlock,
  isEmpty: (block) => isRecord(block) && block['text'] === '',
  joins: () => true,
}
