import { isRecord } from '../../is-record.ts'
import { type BlockSource, readBlocks } from '../blocks/read-blocks.ts'
import { type BlockWriter, type Unit, writeBlocks } from '../blocks/write-blocks.ts'
import { type Codec, type Fit, type Loose, noRepair, partsOfContent } from '../codec.ts'
import { parseArguments } from '../parse-arguments.ts'
import { partText } from '../row.ts'
import { isToolResult, knowsBlock, viewOfAnthropicBlock } from './blocks.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

/** Messages API: results become tool rows, tool_use blocks become calls, the rest is content. */
export const anthropicCodec: Codec<BlockSource> = {
  mergesAdjacent: true,
  fit,
  blocksOf: ({ content }) => partsOfContent(content),
  knows: knowsBlock,
  read: (messages) =>
    readBlocks(messages, {
      field: 'content',
      roleOf: (message) => String(message['role']),
      read: viewOfAnthropicBlock,
    }),
  repair: noRepair,
  write: (rows) => writeBlocks(rows, WRITER),
}

function fit({ role, type, tool_calls: calls }: Loose): Fit {
  return ROLES.has(role) && (type === undefined || type === 'message') && calls === undefined ? 'may' : 'no'
}

const isTurn = (role: string): boolean => role === 'user' || role === 'assistant'

const WRITER: BlockWriter = {
  field: 'content',
  roleOf: (role) => (role === 'tool' ? 'user' : role),
  takesText: true,
  text: (text) => ({ type: 'text', text }),
  withArguments: (block, args) => (isRecord(block) ? { ...block, input: parseArguments(args) } : block),
  withContent: (block, content) => (isRecord(block) ? { ...block, content } : block),
  isResult: isToolResult,
  isEmpty: (block) => isRecord(block) && block['type'] === 'text' && partText(block) === '',
  joins: ({ role }: Unit) => isTurn(role),
  make: {
    media: ({ media, data }) => {
      if (data === null || (media !== 'image' && media !== 'document')) return { type: 'text', text: `[${media}]` }
      const source =
        'url' in data
          ? { type: 'url', url: data.url }
          : { type: 'base64', media_type: data.mediaType, data: data.base64 }
      return { type: media, source }
    },
    call: ({ id, name, args }) => ({ type: 'tool_use', id, name, input: parseArguments(args) }),
    result: ({ id, content, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      is_error: isError || undefined,
      content,
    }),
  },
}
