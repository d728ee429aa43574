import fc from 'fast-check'
import { handoffText } from '../../src/domain/list/assemble/handoff.ts'

// Few ids, some padded or empty, so that pairs break, repeat and cross in every way.
const id = fc.constantFrom('a', 'b', 'c', ' c', 'd ', 'd', 'e', 'f', '')
const size = fc.oneof(fc.nat(80), fc.nat(3000))
const words = fc
  .tuple(fc.constantFrom('alpha', 'añb😀', 'x\ny', '[SUMMARY', '/src/a.ts', '"q"'), size)
  .map(([word, n]) => word.repeat(1 + n / word.length))
const blank = fc.constantFrom('', '  ', null)
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }
const old = fc.constantFrom(
  '[CONTEXT SUMMARY]: older facts',
  handoffText('## Goal\nearlier'),
  `${handoffText('earlier')}\n\nand then this`,
)
const marker = fc.constantFrom({}, { _db_persisted: true }, { x_vendor: [1] }, { api_content: 'raw' })
const args = fc.oneof(
  fc.constantFrom('{"half":', '', '{}', '[1,2]'),
  size.map((n) => JSON.stringify({ path: '/a/b.ts', content: 'é'.repeat(n), n: 7 })),
)

const OPENAI = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: blank }, { weight: 1, arbitrary: old }),
        marker,
      )
      .map(([content, extra]) => ({ role: 'user', content, ...extra })),
  },
  { weight: 1, arbitrary: words.map((text) => ({ role: 'user', content: [{ type: 'text', text }, png] })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(words, blank, old), marker)
      .map(([content, extra]) => ({ role: 'assistant', content, ...extra })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.oneof(words, blank), fc.array(fc.tuple(id, args), { minLength: 1, maxLength: 3 }))
      .map(([content, calls]) => ({
        role: 'assistant',
        content,
        tool_calls: calls.map(([callId, text]) => ({
          id: callId,
          type: 'function',
          function: { name: 'write_file', arguments: text },
        })),
      })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        id,
        fc.oneof(
          words,
          blank,
          words.map((text) => [{ type: 'text', text }, png]),
        ),
      )
      .map(([callId, content]) => ({ role: 'tool', tool_call_id: callId, content })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { role: 'system', content: 'rules' },
      { role: 'developer', content: 'more rules' },
      { role: 'exit', content: 'bye' },
      { role: 'assistant', tool_calls: [null, 'x'] },
      { role: 'user', content: [{ type: 'sticker', label: 'odd' }] },
      { role: 'function', name: 'f', content: 'old style' },
    ),
  },
)

const blocksOfUser = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc
    .tuple(
      id,
      fc.oneof(
        words,
        words.map((text) => [{ type: 'text', text }]),
        fc.constant(undefined),
      ),
    )
    .map(([tool_use_id, content]) => ({
      type: 'tool_result',
      tool_use_id,
      ...(content === undefined ? {} : { content }),
    })),
  fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'base64,QUJD' } }),
  fc.constant({ type: 'document', source: { type: 'text', data: 'doc' } }),
)
const blocksOfAnswer = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc.tuple(id, size).map(([use, n]) => ({
    type: 'tool_use',
    id: use,
    name: 'Write',
    input: { file_path: '/a.ts', content: 'z'.repeat(n) },
  })),
  fc.constant({ type: 'thinking', thinking: 'hm', signature: 'sig' }),
  fc.constant({ type: 'redacted_thinking', data: 'blob' }),
  fc.constant({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }),
  fc.constant({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
)
const ANTHROPIC = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(words, blank, old).map((content) => ({ role: 'user', content })) },
  { weight: 1, arbitrary: words.map((content) => ({ role: 'assistant', content })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(blocksOfUser, { maxLength: 4 }), marker)
      .map(([content, extra]) => ({ role: 'user', content, ...extra })),
  },
  {
    weight: 4,
    arbitrary: fc.array(blocksOfAnswer, { maxLength: 4 }).map((content) => ({ role: 'assistant', content })),
  },
)

const RESPONSES = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .oneof(words, old)
      .map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })),
  },
  { weight: 1, arbitrary: fc.oneof(words, blank).map((content) => ({ role: 'user', content })) },
  {
    weight: 2,
    arbitrary: words.map((text) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, args)
      .map(([call_id, text]) => ({ type: 'function_call', call_id, name: 'shell', arguments: text })),
  },
  {
    weight: 1,
    arbitrary: id.map((call_id) => ({
      type: 'custom_tool_call',
      call_id,
      name: 'apply_patch',
      input: '*** Begin Patch',
    })),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(id, words).map(([call_id, output]) => ({ type: 'function_call_output', call_id, output })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'blob' },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { query: 'q' } },
      { type: 'message', role: 'developer', content: 'rules' },
      { type: 'compaction', content: null },
    ),
  },
)

/** Any message of a format, broken in every way a client can break one. */
export const SHAPES = { openai: OPENAI, anthropic: ANTHROPIC, responses: RESPONSES } as const
