import { StringDecoder } from 'node:string_decoder'

/** One server-sent event: its name ("message" unless given) and its data lines joined. */
export type EventSink = (event: string, data: string) => boolean

/**
 * An incremental reader of server-sent events: feed it bytes, it calls the sink once per event and answers true as soon
 * as the sink does. One decoder and one rest string a stream; the SDK's own reader costs several times as much a chunk.
 */
export function eventStream(sink: EventSink): (chunk: Buffer) => boolean {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let event = 'message'
  let data: string | undefined

  /** True when the sink has enough. */
  function takeLine(line: string): boolean {
    if (line === '') {
      const complete = data
      const name = event
      data = undefined
      event = 'message'
      return complete !== undefined && sink(name, complete)
    }
    if (line.startsWith('data:')) {
      const value = line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (line.startsWith('event:')) event = line.slice(6).trim()
    return false
  }

  return (chunk) => {
    const text = decoder.write(chunk)
    // Only the new part is searched, so a long line that comes in many pieces stays linear.
    let from = 0
    let newline = text.indexOf('\n')
    if (newline === -1) {
      rest += text
      return false
    }
    let line = rest + text.slice(0, newline)
    for (;;) {
      if (takeLine(line.endsWith('\r') ? line.slice(0, -1) : line)) return true
      from = newline + 1
      newline = text.indexOf('\n', from)
      if (newline === -1) break
      line = text.slice(from, newline)
    }
    rest = text.slice(from)
    return false
  }
}
