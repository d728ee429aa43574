/** Below this a clock says nothing: collections and compilers take as long. */
const LEAST_MS = 50
/** docs/spec/hostile.md §1: over three times as long for twice as much fails, and nine times for four times as much. */
const MOST = 3
const LEAST_UNIT_MS = 1

/** The times of a work at one, two and four sizes where they grow faster than the size; null where all is well. */
export function growthFault(workOf: (factor: number) => () => unknown): string | null {
  // What is fast at the largest size needs no second look.
  if (timeOf(workOf(4), 1) < LEAST_MS) return null
  const times = [1, 2, 4].map((factor) => timeOf(workOf(factor), 3))
  const [one = 0, two = 0, four = 0] = times
  const isSlow = four > LEAST_MS && four > MOST * MOST * Math.max(one, LEAST_UNIT_MS) && four > MOST * two
  return isSlow ? `${times.map((ms) => ms.toFixed(1)).join(', ')} ms` : null
}

/** The best of some runs: what is measured is the work, not the machine. */
function timeOf(work: () => unknown, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    try {
      work()
    } catch {
      // A refusal is an answer, too.
    }
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}
