import { expect, it, vi } from 'vitest'
import { once } from '../../src/domain/once.ts'

it('once makes a thing when it is first asked for and never again, undefined things too', () => {
  const make = vi.fn(() => undefined)
  const made = once(make)
  expect(make).not.toHaveBeenCalled()
  expect([made(), made()]).toEqual([undefined, undefined])
  expect(make).toHaveBeenCalledTimes(1)
})
