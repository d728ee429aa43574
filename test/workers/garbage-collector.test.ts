import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { garbageCollector } from '../../src/workers/garbage-collector.ts'

it('garbageCollector collects what nobody holds, without a flag on the command line', async () => {
  const held = { by: 'us' }
  const [kept, dropped] = [new WeakRef(held), new WeakRef({ by: 'nobody' })]
  // What a job has looked at is kept until its end.
  await turn()
  garbageCollector()({ type: 'major', execution: 'sync' })
  expect([kept.deref(), dropped.deref()]).toEqual([held, undefined])
})
