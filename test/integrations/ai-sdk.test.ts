import { describe, expect, it } from 'vitest'
import { appOfTest } from '../support/build-test-app.ts'
import { WHOLE as SUMMARY } from '../support/pipeline-world.ts'

type Message = { role: string; content: unknown }

/** A tool loop as `generateText` holds it: the request, then calls with their results. */
const loop = (steps: number): Message[] => [
  { role: 'user', content: 'Read all parts of src/auth.' },
  ...Array.from({ length: steps }, (_, at) => [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: `c${at}`, toolName: 'read_file', input: { path: `src/auth/${at}.ts` } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `c${at}`,
          toolName: 'read_file',
          output: { type: 'text', value: `export const part${at} = 1; `.repeat(90) },
        },
      ],
    },
  ]).flat(),
]
type Prepare = (options: object) => (step: { messages: unknown }) => Promise<{ messages: Message[] } | undefined>
/** By its address: its types come from `ai`, which is not installed here. */
const ADAPTER = new URL('../../integrations/ai-sdk/index.mjs', import.meta.url).href
const { recapdCompaction: prepare } = (await import(ADAPTER)) as { recapdCompaction: Prepare }

async function withService(script: Parameters<typeof appOfTest>[0]) {
  const service = await appOfTest(script)
  return { ...service, url: await service.listen() }
}

describe('recapdCompaction', () => {
  it('asks nobody while the messages are small', async () => {
    const { url, lines } = await withService({ script: [{ text: SUMMARY }] })
    const step = prepare({ url, contextWindow: 200_000 })
    expect(await step({ messages: loop(3) })).toBeUndefined()
    expect(lines.filter(({ msg }) => msg === 'request').length).toBe(0)
  })

  it('replaces the messages near the window, calls beside their results, and leaves the input alone', async () => {
    const { url } = await withService({ script: [{ text: SUMMARY }] })
    const messages = loop(24)
    const before = JSON.stringify(messages)
    const made = await prepare({ url, contextWindow: 8_000 })({ messages })
    expect(made?.messages.length).toBeLessThan(messages.length)
    expect(JSON.stringify(made?.messages)).toContain('plain work')
    expect(made?.messages.at(-1)).toEqual(messages.at(-1))
    expect(JSON.stringify(messages)).toBe(before)
  })

  it('remembers what it replaced where the SDK begins with the whole history again', async () => {
    const { url, provider } = await withService({ script: [{ text: SUMMARY }] })
    const step = prepare({ url, contextWindow: 64_000 })
    const first = await step({ messages: loop(140) })
    const second = await step({ messages: loop(141) })
    expect(provider.requests.length, 'the smaller list is carried on').toBe(1)
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages)
    expect(second?.messages.length).toBe((first?.messages.length ?? 0) + 2)
  })

  it.each([
    ['when every model fails', [{ status: 401 }], ''],
    ['when nobody listens', [{ text: SUMMARY }], 'http://127.0.0.1:9'],
  ])('goes on without a smaller list %s', async (_title, script, elsewhere) => {
    const { url } = await withService({ script })
    const step = prepare({ url: elsewhere || url, contextWindow: 8_000 })
    expect(await step({ messages: loop(24) })).toBeUndefined()
  })
})
