/** The value that so large a share of them does not exceed; NaN of none. */
export function atPercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0] ?? Number.NaN
}
