import { expect, it } from 'vitest'
import { roomOfFastest } from '../../../src/models/signals/room-of-fastest.ts'

const full = new Promise<void>(() => {})

it.each<[string, readonly (Promise<void> | undefined)[], boolean]>([
  ['nobody listens', [], false],
  ['one listens who keeps up', [undefined], false],
  ['one of two keeps up', [full, undefined], false],
  ['the only one does not keep up', [full], true],
  ['none of two keeps up', [full, full], true],
])('roomOfFastest, where %s', (_who, rooms, waits) => {
  expect(roomOfFastest(rooms) instanceof Promise).toBe(waits)
})

it('roomOfFastest waits for the first who has room, not for all', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const room = roomOfFastest([full, promise])
  resolve()
  await expect(room).resolves.toBeUndefined()
})
