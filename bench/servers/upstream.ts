// A provider that answers at once, or after DELAY_MS (POST /delay/50 changes that), with sentences or, after POST
// /answer/headings, with the text of ANSWER_FILE: prebuilt chat completions over bare sockets, so that its own cost stays small beside what
// is measured. Streams when asked to, as a provider would.
import { readFileSync } from 'node:fs'
import net from 'node:net'

let delayMs = Number(process.env['DELAY_MS'] ?? 0)
const SENTENCES = 'The queue worker was moved to its own file and its tests pass. '.repeat(24).trim()
/** What a model answers that was asked for headings. */
const { ANSWER_FILE } = process.env
const HEADINGS = ANSWER_FILE === undefined ? SENTENCES : readFileSync(ANSWER_FILE, 'utf8')
const usage = { prompt_tokens: 512, completion_tokens: 360, total_tokens: 872 }
const base = { id: 'chatcmpl-1', created: 1, model: 'mock-model' }
const reply = (type: string, body: string) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
  )
/** One whole answer and the same as a stream, ready to be written. */
function answerOf(text: string) {
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
  return { whole: reply('application/json', whole), stream: reply('text/event-stream', events) }
}
const ANSWERS = { sentences: answerOf(SENTENCES), headings: answerOf(HEADINGS) }
let answers = ANSWERS.sentences

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
        if (head.startsWith('POST /answer/headings ')) answers = ANSWERS.headings
        if (head.startsWith('POST /answer/sentences ')) answers = ANSWERS.sentences
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
        const answer = streamed ? answers.stream : answers.whole
        if (delayMs > 0) setTimeout(() => socket.write(answer), delayMs)
        else socket.write(answer)
      }
    }
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
