import { expect, it } from 'vitest'
import { readAnswer } from '../../../../src/models/sources/openai/read-answer.ts'
import { ProviderResponse, ResponseHeaders } from '../../../../src/models/transport/provider-response.ts'

const WHOLE = '{"choices":[{"index":0,"message":{"role":"assistant","content":"Fine."},"finish_reason":"stop"}]}'
const STREAM = 'data: {"choices":[{"index":0,"delta":{"content":"Fine."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** A 200 whose body comes in these pieces. */
function responseOf(pieces: Iterable<string>): ProviderResponse {
  const connection = { abandon() {}, pause() {}, resume() {} }
  const response = new ProviderResponse(200, '', new ResponseHeaders({}), connection)
  for (const piece of pieces) response.push(Buffer.from(piece))
  response.end()
  return response
}
const read = (pieces: Iterable<string>) =>
  readAnswer(responseOf(pieces), { model: 'a/small', textBytes: 100_000, onText: undefined })

it.each([
  ['one piece', [WHOLE]],
  ['one character at a time', WHOLE],
  ['blanks and a byte order mark in front', ['\uFEFF', ' \n', ' ', WHOLE]],
  ['a stream in one piece', [STREAM]],
  ['a stream, one character at a time', STREAM],
  ['a stream behind blanks and a byte order mark', ['\uFEFF', '\n\n', STREAM]],
])('readAnswer takes %s', async (_how, pieces) => {
  expect((await read(pieces)).text).toBe('Fine.')
})

// Looked at from the beginning with each piece these would be 50 GB, and no test would wait for that.
it('readAnswer looks at blanks once, however many pieces of them come', async () => {
  const blanks = Array<string>(20_000).fill(' '.repeat(256))
  expect((await read([...blanks, WHOLE])).text).toBe('Fine.')
  await expect(read(blanks)).rejects.toMatchObject({ outcome: 'bad_response' })
})
