import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface LoopWatch {
  /** What the work came to, and how long /livez waited meanwhile, in milliseconds. */
  during<T>(url: string, work: () => Promise<T>): Promise<{ readonly value: T; readonly waits: readonly number[] }>
  stop(): void
}

/** Asks /livez from a process beside the test. */
export function watchLoop(): LoopWatch {
  const child = fork(path.join(import.meta.dirname, 'live-probe.ts'), { execArgv: [] })
  return {
    async during(url, work) {
      child.send({ begin: url })
      try {
        const value = await work()
        const answer = once(child, 'message')
        child.send({})
        const [waits] = (await answer) as [readonly number[]]
        return { value, waits }
      } catch (error) {
        child.send({})
        throw error
      }
    },
    stop: () => child.disconnect(),
  }
}

/** The wait that so large a share of them stays under. */
export function percentile(waits: readonly number[], share: number): number {
  const sorted = waits.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
