import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { bodyDigest } from '../../src/requests/body-digest.ts'

it.each([0, 1, 1_048_576, 1_048_577, 3_500_000])('bodyDigest of %d bytes is their SHA-256', async (bytes) => {
  const body = Buffer.alloc(bytes, 'recapd ')
  expect(await bodyDigest(body)).toBe(createHash('sha256').update(body).digest('hex'))
})

it('bodyDigest of a long body lets others have their turn', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await bodyDigest(Buffer.alloc(5_000_000))
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(3)
})
