import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import type { ListCodec } from '../codec.ts'

/** Chat completions messages are the shape the compressor thinks in: nothing to convert. */
export const openaiCodec: ListCodec = {
  mergesAdjacent: false,
  toRows: (messages) =>
    messages.map((value, index) => {
      const message = value as ChatMessage
      return { index, message, original: message }
    }),
  repair: (rows) => ({ rows, repaired: [] }),
  fromRows: (rows) => rows.map((row) => row.message),
}
