import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventStream } from '../../../../src/models/sources/openai/event-stream.ts'

/** Events of a stream that arrives in the given chunks. */
function read(chunks: readonly Buffer[]): [string, string][] {
  const events: [string, string][] = []
  const feed = eventStream((event, data) => {
    events.push([event, data])
    return false
  })
  for (const chunk of chunks) feed(chunk)
  return events
}

describe('eventStream', () => {
  it('reads names, joined data lines, CRLF, comments and unknown fields', () => {
    const text = ': hello\r\n\r\nevent: delta\r\ndata: one\r\ndata:two\r\nid: 7\r\n\r\ndata: 世界\n\n\n'
    expect(read([Buffer.from(text)])).toEqual([
      ['delta', 'one\ntwo'],
      ['message', '世界'],
    ])
  })

  it('reads the same events however the bytes are cut', () => {
    const stream = Buffer.from('event: a\ndata: {"x":"Grüße 🌍"}\n\ndata: two\r\n\r\ndata: [DONE]\n\n')
    const whole = read([stream])
    const cuts = fc.array(fc.nat(stream.length), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (points) => {
        const bounds = [0, ...points.toSorted((a, b) => a - b), stream.length]
        const chunks = bounds.slice(1).map((end, index) => stream.subarray(bounds[index], end))
        expect(read(chunks)).toEqual(whole)
      }),
      { seed: 11, numRuns: 300 },
    )
  })

  it('says at once when the sink has enough, and hands on nothing after it', () => {
    const heard: string[] = []
    const feed = eventStream((_event, data) => {
      heard.push(data)
      return data === '[DONE]'
    })
    expect(feed(Buffer.from('data: a\n\n'))).toBe(false)
    expect(feed(Buffer.from('data: [DONE]\n\ndata: b\n\n'))).toBe(true)
    expect(heard).toEqual(['a', '[DONE]'])
  })

  it('drops an event that never ends', () => {
    expect(read([Buffer.from('data: whole\n\ndata: half')])).toEqual([['message', 'whole']])
  })
})
