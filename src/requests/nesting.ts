/** What the engine can write and every recursive reader can walk; real messages nest a dozen deep. */
const MOST_LEVELS = 500

/** True when values stand in each other deeper than anything that reads or writes them recursively can follow. */
export function nestsDeeply(value: unknown): boolean {
  const stack: { readonly value: unknown; readonly level: number }[] = [{ value, level: 0 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.level > MOST_LEVELS) return true
    for (const inner of Object.values(next.value)) stack.push({ value: inner, level: next.level + 1 })
  }
  return false
}
