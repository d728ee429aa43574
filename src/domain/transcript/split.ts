/** A run of neighbours: the pieces from `from` up to, not including, `to`. */
export interface Run {
  readonly from: number
  readonly to: number
}

/**
 * Splits pieces of the given sizes into the fewest runs of at most `most`, as equal as their borders allow. A piece larger
 * than `most` must have been cut before. Linear but for a binary search per run.
 */
export function splitBalanced(sizes: readonly number[], most: number): Run[] {
  if (sizes.length === 0) return []
  const sums = prefixSums(sizes)
  const starts = latestStarts(sums, most)
  const total = sums[sizes.length] ?? 0
  const runs: Run[] = []
  let from = 0
  for (let i = 1; i < starts.length; i += 1) {
    const lastFit = lastAtMost(sums, (sums[from] ?? 0) + most)
    const wanted = nearest(sums, (total * i) / starts.length)
    // Not so early that the rest no longer fits into the runs left, not so late that this run overflows.
    const to = Math.max(from + 1, Math.min(Math.max(wanted, starts[i] ?? 0), lastFit))
    runs.push({ from, to })
    from = to
  }
  runs.push({ from, to: sizes.length })
  return runs
}

function prefixSums(sizes: readonly number[]): number[] {
  const sums = [0]
  let sum = 0
  for (const size of sizes) {
    sum += size
    sums.push(sum)
  }
  return sums
}

/** Filled from the back: entry i is the earliest border before run i that still lets everything after it fit. */
function latestStarts(sums: readonly number[], most: number): number[] {
  const starts: number[] = []
  for (let end = sums.length - 1; end > 0; ) {
    let start = firstAtLeast(sums, (sums[end] ?? 0) - most)
    // An oversized piece still gets a run: the split must end.
    start = Math.min(start, end - 1)
    starts.push(start)
    end = start
  }
  return starts.reverse()
}

function firstAtLeast(sums: readonly number[], value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) >= value) high = middle
    else low = middle + 1
  }
  return low
}

function lastAtMost(sums: readonly number[], value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sums[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function nearest(sums: readonly number[], value: number): number {
  const above = firstAtLeast(sums, value)
  const below = Math.max(0, above - 1)
  return value - (sums[below] ?? 0) <= (sums[above] ?? 0) - value ? below : above
}
