import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webModule } from '../../../support/web-module.ts'

interface Event {
  readonly name: string
  readonly data: unknown
}
const { readEvents } = await webModule<{ readEvents(stream: ReadableStream): AsyncIterable<Event> }>(
  'playground/request/read-events.js',
)

/** The bytes of a stream, cut after every n-th byte. */
function streamOf(text: string, size: number): ReadableStream {
  const bytes = new TextEncoder().encode(text)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
  return ReadableStream.from(chunks)
}

async function eventsOf(text: string, size = 7): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of readEvents(streamOf(text, size))) events.push(event)
  return events
}

describe('readEvents', () => {
  it('gives the same events wherever the bytes are cut, also inside a character', async () => {
    const events = [
      { name: 'delta', data: { text: 'línea\n\nuno 🚀' } },
      { name: 'done', data: { summary: '摘要' } },
    ]
    const text = events
      .map(({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      .join(': heartbeat\n\n')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length }), async (size) => {
        expect(await eventsOf(text, size)).toEqual(events)
      }),
      { seed: 7, numRuns: 40 },
    )
  })

  it('passes over comments, joins data lines and takes CRLF for a line end', async () => {
    expect(await eventsOf(': hello\r\n\r\nevent: a\r\ndata: {"b":\r\ndata: 1}\r\n\r\n', 1000)).toEqual([
      { name: 'a', data: { b: 1 } },
    ])
  })

  it('leaves out an event that the end of the stream cut off', async () => {
    expect(await eventsOf('event: a\ndata: 1\n\nevent: b\ndata: 2')).toEqual([{ name: 'a', data: 1 }])
  })
})
