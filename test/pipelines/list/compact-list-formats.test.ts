import { describe, expect, it } from 'vitest'
import { brokenInvariants, type ChatFormat, flatText } from '../../support/chat-invariants.ts'
import { filler } from '../../support/chat-lists.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { blockOf, pipelineWorld } from '../../support/pipeline-world.ts'

const contextWindow = 8000
const TURNS = 12

/** The same work in each of the three formats: an ask, a call with its result, an answer. */
const LISTS: Readonly<Record<ChatFormat, (turn: number) => readonly object[]>> = {
  openai: (turn) => [
    { role: 'user', content: `ask ${turn}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `c${turn}`, type: 'function', function: { name: 'read', arguments: `{"path":"m${turn}.ts"}` } },
      ],
    },
    { role: 'tool', tool_call_id: `c${turn}`, content: filler(300, `body ${turn}`) },
    { role: 'assistant', content: filler(200, `reply ${turn}`) },
  ],
  anthropic: (turn) => [
    { role: 'user', content: [{ type: 'text', text: `ask ${turn}`, cache_control: { type: 'ephemeral' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'reading' },
        { type: 'tool_use', id: `c${turn}`, name: 'Read', input: { file_path: `m${turn}.ts` } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `c${turn}`,
          content: [{ type: 'text', text: filler(300, `body ${turn}`) }],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: filler(200, `reply ${turn}`) }] },
  ],
  responses: (turn) => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `ask ${turn}` }] },
    { type: 'reasoning', id: `r${turn}`, summary: [], encrypted_content: 'OPAQUE' },
    { type: 'function_call', call_id: `c${turn}`, name: 'read', arguments: `{"path":"m${turn}.ts"}` },
    { type: 'function_call_output', call_id: `c${turn}`, output: filler(300, `body ${turn}`) },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: filler(200, `reply ${turn}`) }] },
  ],
}

describe.each(['openai', 'anthropic', 'responses'] as const)('compactMessages in %s', (format) => {
  const messages = deepFreeze(Array.from({ length: TURNS }, (_, turn) => LISTS[format](turn)).flat())

  it.each([{}, { format }])('recognises and keeps the format, valid by construction: %o', async (named) => {
    const world = pipelineWorld()
    const result = await world.list({ messages, contextWindow, ...named })
    expect(result).toMatchObject({ compacted: true, validity: { pairs: true, alternation: true } })
    expect(brokenInvariants(result.messages, format)).toEqual([])
    expect(result.progress.tokensAfter).toBeLessThan(result.progress.tokensBefore)
    const last = LISTS[format](TURNS - 1).length
    expect(result.messages.slice(-last)).toEqual(messages.slice(-last))
  })

  it('T07 the newest ask stands word for word behind the END marker', async () => {
    const { messages: out } = await pipelineWorld().list({ messages, contextWindow })
    const text = flatText(out)
    expect(text.lastIndexOf(`ask ${TURNS - 1}`)).toBeGreaterThan(text.indexOf('--- END OF CONTEXT SUMMARY'))
  })

  it('tells the model what goes, in the sessions blocks', async () => {
    const world = pipelineWorld()
    await world.list({ messages, contextWindow })
    const conversation = blockOf(world.prompt('list'), 'conversation') ?? ''
    expect(conversation).toMatch(/\[User\]: ask [3-7]\n\n\[Assistant/)
    expect(conversation).toMatch(/\[Assistant tool calls\]: [rR]ead\((file_)?path="m\d\.ts"\)\n\n\[Tool result\]: body/)
    expect(conversation).not.toMatch(/OPAQUE|"sig"/)
  })

  it('a second pass keeps one summary', async () => {
    const first = await pipelineWorld().list({ messages, contextWindow })
    const more = Array.from({ length: TURNS }, (_, turn) => LISTS[format](turn + TURNS)).flat()
    const world = pipelineWorld()
    const second = await world.list({ messages: [...first.messages, ...more], contextWindow, state: first.state })
    expect(brokenInvariants(second.messages, format)).toEqual([])
    expect(blockOf(world.prompt('list'), 'previous-summary')).toContain('plain work HISTORY')
  })

  it('coverage has one fate for every message of the caller', async () => {
    const { plan } = await pipelineWorld().list({ messages, contextWindow, coverage: true })
    expect(plan?.coverage.map(({ index }) => index)).toEqual(messages.map((_, index) => index))
    expect(new Set(plan?.coverage.map(({ fate }) => fate))).toContain('summarized')
  })
})

describe('compactMessages in anthropic', () => {
  it('counts the system prompt that stands beside the messages', async () => {
    const messages = Array.from({ length: TURNS }, (_, turn) => LISTS.anthropic(turn)).flat()
    const bare = await pipelineWorld().list({ messages, contextWindow })
    const system = [{ type: 'text', text: 'x'.repeat(4000) }]
    const whole = await pipelineWorld().list({ messages, contextWindow, system })
    expect(whole.progress.tokensBefore - bare.progress.tokensBefore).toBe(1000)
  })

  it('B046 a compaction block that failed is no summary', async () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'compaction', content: null }] },
      ...Array.from({ length: TURNS }, (_, turn) => LISTS.anthropic(turn)).flat(),
    ]
    const world = pipelineWorld()
    const result = await world.list({ messages, contextWindow })
    expect(result.compacted).toBe(true)
    expect(blockOf(world.prompt('list'), 'previous-summary')).toBeUndefined()
  })
})
