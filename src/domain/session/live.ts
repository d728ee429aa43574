import type { Entry } from './entry.ts'

/**
 * Where the live part of a path begins. Indices into the path:
 * `start` (after the last reset_boundary) <= `carriedStart` <= `previousIndex` < `windowStart`.
 * Entries before `carriedStart` live on only in the previous summary.
 */
export interface LiveRegion {
  readonly path: readonly Entry[]
  readonly start: number
  /** First entry the previous compaction kept; equals `previousIndex` when it kept nothing, `windowStart` without one. */
  readonly carriedStart: number
  /** The last compaction, or -1. */
  readonly previousIndex: number
  readonly previous: Entry | null
  /** Behind the previous compaction (docs/spec/compaction.md §5). */
  readonly windowStart: number
}

function lastIndex(path: readonly Entry[], type: string, from: number): number {
  for (let index = path.length - 1; index >= from; index -= 1) if (path[index]?.type === type) return index
  return -1
}

function firstKeptIndex(path: readonly Entry[], from: number, previousIndex: number): number {
  const id = path[previousIndex]?.firstKeptEntryId
  for (let index = previousIndex - 1; index >= 0; index -= 1) if (path[index]?.id === id) return Math.max(index, from)
  return previousIndex
}

/** The live region of a path: the last compaction wins (docs/bug-log.md B074), nothing before a reset_boundary counts. */
export function liveRegion(path: readonly Entry[]): LiveRegion {
  const start = lastIndex(path, 'reset_boundary', 0) + 1
  const previousIndex = lastIndex(path, 'compaction', start)
  if (previousIndex < 0) return { path, start, carriedStart: start, previousIndex, previous: null, windowStart: start }
  const previous = path[previousIndex] ?? null
  const carriedStart = firstKeptIndex(path, start, previousIndex)
  return { path, start, carriedStart, previousIndex, previous, windowStart: previousIndex + 1 }
}

/** Live entries in order, without the previous compaction and any older one between them. */
export function liveEntries(live: LiveRegion): readonly Entry[] {
  return live.path.slice(live.carriedStart).filter((entry) => entry.type !== 'compaction')
}
