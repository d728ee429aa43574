export type PeriodLength = 'day' | 'month'

/** A day or month of UTC. */
export interface Period {
  /** `2026-11-30` or `2026-11`. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

export function periodOf(per: PeriodLength, nowMs: number): Period {
  const { beganAt, period } = last[per]
  if (nowMs >= beganAt && nowMs < period.endsAt) return period
  const found = periodAt(per, nowMs)
  last[per] = found
  return found.period
}

interface Dated {
  readonly beganAt: number
  readonly period: Period
}

const NEVER: Dated = { beganAt: 0, period: { name: '', endsAt: 0 } }
/** The last ones asked for: writing a date costs more than all else that a count takes (`npm run bench -- proxy`). */
const last: Record<PeriodLength, Dated> = { day: NEVER, month: NEVER }

function periodAt(per: PeriodLength, nowMs: number): Dated {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const iso = now.toISOString()
  return per === 'day'
    ? {
        beganAt: Date.UTC(year, month, day),
        period: { name: iso.slice(0, 10), endsAt: Date.UTC(year, month, day + 1) },
      }
    : { beganAt: Date.UTC(year, month), period: { name: iso.slice(0, 7), endsAt: Date.UTC(year, month + 1) } }
}
