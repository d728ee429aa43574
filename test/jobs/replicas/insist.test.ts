import { expect, it } from 'vitest'
import { insist, READ_PATIENCE_MS } from '../../../src/jobs/replicas/insist.ts'

/** A Redis that is up as the list says, one value for each time it is asked whether it is. */
function linkThatIs(...ups: readonly boolean[]) {
  const left = [...ups]
  return { isUp: () => left.shift() ?? false, usable: async () => {} }
}

it.each<[string, readonly boolean[], readonly (string | undefined)[], string | undefined, number]>([
  ['an answer', [true], ['yes'], 'yes', 1],
  ['away for good', [false], [], undefined, 0],
  ['lost while it was told, and back', [true, false, true], [undefined, 'yes'], 'yes', 2],
  ['lost while it was told, for good', [true, false, false], [undefined], undefined, 1],
  ['there, and refuses', [true, true], [undefined], undefined, 1],
])('insist: Redis is %s', async (_what, ups, replies, wanted, times) => {
  let said = 0
  const say = async () => replies[said++]
  expect(await insist(linkThatIs(...ups), say)).toBe(wanted)
  expect(said).toBe(times)
})

it.each([
  ['who makes a job or holds a key, as long as a Redis reads its log', undefined, 30_000],
  ['who only asks, for a moment', READ_PATIENCE_MS, 5_000],
])('insist lets wait for a lost Redis %s', async (_who, patienceMs, waitedMs) => {
  const waited: number[] = []
  const link = { isUp: () => false, usable: async (ms: number) => void waited.push(ms) }
  await insist(link, async () => 'yes', patienceMs)
  expect(waited).toEqual([waitedMs])
})
