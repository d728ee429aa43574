// A provider that answers at once, or after DELAY_MS (POST /delay/50 changes that): one prebuilt chat completion over bare
// sockets, so that its own cost stays small beside what is measured. Streams when asked to, as a provider would.
import net from 'node:net'

let delayMs = Number(process.env['DELAY_MS'] ?? 0)
const text = 'The queue worker was moved to its own file and its tests pass. '.repeat(24).trim()
const usage = { prompt_tokens: 512, completion_tokens: 360, total_tokens: 872 }
const base = { id: 'chatcmpl-1', created: 1, model: 'mock-model' }
const whole = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage,
})
const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const pieces = text.match(/.{1,256}/gs) ?? []
const events = [
  chunk({ role: 'assistant', content: '' }, null),
  ...pieces.map((content) => chunk({ content }, null)),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
].join('')
const reply = (type: string, body: string) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
  )
const wholeReply = reply('application/json', whole)
const streamReply = reply('text/event-stream', events)

const server = net.createServer((socket) => {
  let head = ''
  let missing = 0
  let streamed = false
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    let from = 0
    while (from < data.length) {
      if (missing === 0) {
        head += data.toString('latin1', from)
        from = data.length
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        delayMs = Number(/^POST \/delay\/(\d+) /.exec(head)?.[1] ?? delayMs)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        const got = head.length - end - 4
        // Clients write their parameters in front of the messages or behind them.
        const body = head.slice(end)
        streamed = body.slice(0, 400).includes('"stream":true') || body.slice(-200).includes('"stream":true')
        missing = length - got
        head = ''
      } else {
        missing -= data.length - from
        streamed ||= data.includes('"stream":true', Math.max(from, data.length - 200))
        from = data.length
      }
      if (missing <= 0) {
        missing = 0
        const answer = streamed ? streamReply : wholeReply
        if (delayMs > 0) setTimeout(() => socket.write(answer), delayMs)
        else socket.write(answer)
      }
    }
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
