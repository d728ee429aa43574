import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 5
/** Only how long a failing test hangs; a passing one goes on at once. */
const PATIENCE_MS = 10_000

/** Resolves with the first value that is neither false nor undefined. */
export async function waitUntil<T>(
  probe: () => T | Promise<T>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const until = performance.now() + patienceMs
  for (;;) {
    const value = await probe()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() > until) throw new Error(`Waited ${patienceMs} ms in vain: ${what}`)
    await sleep(POLL_MS)
  }
}
