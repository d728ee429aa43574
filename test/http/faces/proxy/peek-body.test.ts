import { PassThrough, type Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { peekBody } from '../../../../src/http/faces/proxy/peek-body.ts'

const bodyOf = (...pieces: readonly string[]): PassThrough => {
  const body = new PassThrough()
  for (const piece of pieces) body.write(piece)
  return body
}

const textOf = async (stream: Readable): Promise<string> => Buffer.concat(await stream.toArray()).toString('utf8')

it('peekBody gives a whole body in the pieces in which it came', async () => {
  const body = bodyOf('one ', 'two ', 'three')
  body.end()
  const peeked = await peekBody(body, () => true)
  expect(peeked).toEqual({ kind: 'whole', pieces: ['one ', 'two ', 'three'].map((text) => Buffer.from(text)) })
})

it('peekBody hands on what is too much, with what was read before it', async () => {
  const body = bodyOf('one ', 'two ', 'three ')
  const seen: string[] = []
  const peeked = await peekBody(body, (piece) => seen.push(String(piece)) < 2)
  expect(seen).toEqual(['one ', 'two '])
  body.end('four')
  expect(peeked.kind === 'part' && (await textOf(peeked.stream))).toBe('one two three four')
})

it.each([
  ['before', (body: PassThrough) => body.destroy()],
  ['with an error before', (body: PassThrough) => body.on('error', () => {}).destroy(new Error('reset'))],
])('peekBody rejects where the caller left %s', async (_when, leave) => {
  const body = bodyOf('one')
  leave(body)
  await expect(peekBody(body, () => true)).rejects.toMatchObject({ code: 'client-closed' })
})

it('peekBody rejects where the caller leaves meanwhile', async () => {
  const body = bodyOf('one')
  const peeked = peekBody(body, () => true)
  body.destroy()
  await expect(peeked).rejects.toMatchObject({ code: 'client-closed' })
})
