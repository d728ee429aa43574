import { z } from 'zod'
import { type PeriodLength, periodOf } from '../callers/period.ts'
import { addSpent, memorySpending, NOTHING_SPENT, type Spending, type Spent } from '../callers/spending.ts'
import type { Clock } from '../clock.ts'
import type { RedisLink } from './redis-link.ts'

const LENGTHS = ['day', 'month'] as const
/** So that the last period can still be looked at. */
const KEPT_AFTER_MS = 40 * 86_400_000

/** Dollars as millionths of a cent: sums of floating numbers would drift. */
const DOLLAR = 1e8
const ADD = `
for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
return 1`

const count = z.coerce.number().default(0)
const stored = z.object({
  requests: count,
  inputTokens: count,
  outputTokens: count,
  cost: count,
  savedTokens: count,
})

/** Spending over all replicas. What could not be sent to Redis is sent when it is back; until then this process counts for itself. */
export function redisSpending(link: RedisLink, clock: Pick<Clock, 'now'>): Spending {
  const local = memorySpending(clock)
  const pending = new Map<string, { readonly per: PeriodLength; readonly caller: string; spent: Spent }>()
  const writes = new Set<Promise<void>>()
  const placeOf = (period: string, caller: string) => `${link.prefix}usage:${period}:${caller}`

  async function write(per: PeriodLength, caller: string, more: Partial<Spent>): Promise<void> {
    const { name, endsAt } = periodOf(per, clock.now())
    const { costUsd = 0, ...rest } = more
    const fields = Object.entries({ ...rest, cost: Math.round(costUsd * DOLLAR) }).filter(([, value]) => value !== 0)
    if (fields.length === 0) return
    const values = fields.flatMap(([field, value]) => [field, Math.round(Number(value))])
    const done = await link.run((redis) => redis.eval(ADD, 1, placeOf(name, caller), endsAt + KEPT_AFTER_MS, ...values))
    if (done !== undefined) return
    const key = `${name} ${caller}`
    pending.set(key, { per, caller, spent: addSpent(pending.get(key)?.spent ?? NOTHING_SPENT, more) })
  }
  link.onUp(() => {
    const rows = [...pending.values()]
    pending.clear()
    for (const { per, caller, spent } of rows) track(write(per, caller, spent))
  })
  function track(work: Promise<void>): void {
    const tracked = work.finally(() => writes.delete(tracked))
    writes.add(tracked)
  }

  return {
    add(caller, more) {
      local.add(caller, more)
      for (const per of LENGTHS) track(write(per, caller, more))
    },
    async settled() {
      await Promise.all(writes)
    },
    async spent(caller, per) {
      const { name } = periodOf(per, clock.now())
      const hash = await link.run((redis) => redis.hgetall(placeOf(name, caller)))
      const { data } = stored.safeParse(hash)
      if (hash === undefined || data === undefined) return local.spent(caller, per)
      const { cost, ...rest } = data
      return { ...rest, costUsd: cost / DOLLAR }
    },
  }
}
