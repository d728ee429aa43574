/**
 * Events of a text/event-stream body as `{name, data}`, data parsed as JSON. Comments (heartbeats) are passed over; lines may
 * be cut anywhere between two chunks.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 */
export async function* readEvents(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== null) yield event
    }
  }
}

/** @param {string} block */
function eventOf(block) {
  let name = 'message'
  const data = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim()
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return data.length === 0 ? null : { name, data: JSON.parse(data.join('\n')) }
}
