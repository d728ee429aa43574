import { describe, expect, it } from 'vitest'
import type { LlmMessage } from '../../../src/domain/session/to-llm.ts'
import { toOpenAi } from '../../../src/domain/session/to-openai.ts'

const call = (...ids: readonly string[]): LlmMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'ls', arguments: { p: id } })),
})
const result = (id: string, text = id, isError = false): LlmMessage => ({
  role: 'toolResult',
  toolCallId: id,
  content: [{ type: 'text', text }],
  isError,
})

describe('toOpenAi', () => {
  it('writes calls, results and images the way chat completions take them', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const blob = { ...image, data: 'blob:sha256:00' }
    const messages: LlmMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'see' }, image, blob] },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'ok' }, ...partsOfCall('c')],
      },
      { ...result('c'), content: [{ type: 'text', text: 'out' }, image] },
      { role: 'assistant', content: [], stopReason: 'aborted' },
    ]
    expect(toOpenAi(messages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: '[image]' },
        ],
      },
      {
        role: 'assistant',
        content: 'ok',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{"p":"c"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'out[image]' },
    ])
  })

  it('gives a call without text a null content', () => {
    expect(toOpenAi([call('a'), result('a')])[0]).toMatchObject({ role: 'assistant', content: null })
  })
})

function partsOfCall(id: string): readonly unknown[] {
  return Array.isArray(call(id).content) ? (call(id).content as readonly unknown[]) : []
}
