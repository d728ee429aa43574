import { parseBlocks } from './parse-blocks.ts'
import { parsePrompt } from './parse-prompt.ts'

/**
 * The prompt without the blocks of its conversation that tell what an assistant thought; null when there are none. Some
 * models refuse to read another model's thoughts (docs/spec/models.md §2).
 */
export function withoutThinking(prompt: string): string | null {
  const parsed = parsePrompt(prompt)
  if (parsed === null) return null
  const { conversation, conversationStart: offset } = parsed
  const blocks = parseBlocks(conversation)
  let from = 0
  let kept = ''
  for (const [i, { role, start }] of blocks.entries()) {
    if (role !== 'thinking') continue
    kept += prompt.slice(from, offset + start)
    from = offset + (blocks[i + 1]?.start ?? conversation.length)
  }
  return from === 0 ? null : kept + prompt.slice(from)
}
