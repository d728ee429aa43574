import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { collect } from '../../../src/http/plugins/collect.ts'
import { SHORT_WORK_BYTES } from '../../../src/requests/long-work.ts'

const PIECE = 40_000

/** What is made of so many pieces, refused at the one with this number, and how many bytes were reported dead. */
function collected(count: number, { length = 0, refusedAt = -1 } = {}) {
  const pieces = Array.from({ length: count }, (_, at) => Buffer.alloc(PIECE, at))
  const headers = length === 0 ? {} : { 'content-length': String(length) }
  const payload = Object.assign(Readable.from(pieces), { headers }) as unknown as IncomingMessage
  let dead = 0
  let at = -1
  const lengths = () => pieces.map((piece) => piece.length)
  return new Promise<{ error: Error | null; bytes: Buffer | undefined; lengths: () => number[]; dead: () => number }>(
    (resolve) => {
      collect(payload, {
        take() {
          at += 1
          if (at === refusedAt) throw new Error('refused')
        },
        dropBytes: 1_000_000,
        dead(bytes) {
          dead += bytes
        },
        done: (error, bytes) => payload.once('close', () => resolve({ error, bytes, lengths, dead: () => dead })),
      })
    },
  )
}

it.each([
  ['a short body lies where it came', 1, 0, PIECE],
  ['the pieces of a long one are copied together and freed, its length told', 5, 5 * PIECE, 0],
  ['the pieces of a long one are copied together and freed, its length not told', 5, 0, 0],
])('collect: %s', async (_, count, length, pieceLength) => {
  const { error, bytes, lengths, dead } = await collected(count, { length })
  expect(error).toBeNull()
  expect(bytes?.equals(Buffer.concat(Array.from({ length: count }, (__, at) => Buffer.alloc(PIECE, at))))).toBe(true)
  expect(bytes?.buffer instanceof SharedArrayBuffer).toBe(count * PIECE > SHORT_WORK_BYTES)
  expect(lengths()).toEqual(Array(count).fill(pieceLength))
  expect(dead()).toBe(0)
})

it('collect frees all of a refused body, what is only dropped, too', async () => {
  const { error, lengths, dead } = await collected(5, { refusedAt: 1 })
  expect(error?.message).toBe('refused')
  expect(lengths()).toEqual([0, 0, 0, 0, 0])
  expect(dead()).toBe(0)
})

it('collect reports what a collection has to free: what was copied already of a body that is refused late', async () => {
  const { lengths, dead } = await collected(5, { length: 5 * PIECE, refusedAt: 4 })
  expect(lengths()).toEqual([0, 0, 0, 0, 0])
  expect(dead()).toBe(4 * PIECE)
})
