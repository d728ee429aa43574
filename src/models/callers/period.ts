export type PeriodLength = 'day' | 'month'

/** A day or month of UTC. */
export interface Period {
  /** `2026-11-30` or `2026-11`. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

export function periodOf(per: PeriodLength, nowMs: number): Period {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const iso = now.toISOString()
  return per === 'day'
    ? { name: iso.slice(0, 10), endsAt: Date.UTC(year, month, day + 1) }
    : { name: iso.slice(0, 7), endsAt: Date.UTC(year, month + 1) }
}
