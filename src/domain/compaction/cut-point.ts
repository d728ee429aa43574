import { type Entry, makesMessage } from '../session/entry.ts'
import type { LiveRegion } from '../session/live.ts'
import { callersOf } from '../session/pair-messages.ts'
import { entryWeights } from '../session/session-tokens.ts'

const CUT_ROLES: ReadonlySet<string> = new Set([
  'user',
  'developer',
  'assistant',
  'bashExecution',
  'pythonExecution',
  'custom',
  'hookMessage',
  'branchSummary',
  'compactionSummary',
  'fileMention',
])

const EXTENSION_ROLES: ReadonlySet<string> = new Set(['custom', 'hookMessage', 'developer', 'system'])
const TURN_ROLES: ReadonlySet<string> = new Set(['user', 'bashExecution'])

/** Where the path is cut; all indices into the path. */
export interface CutPoint {
  /** First kept entry, metadata directly before the cut included. */
  readonly firstKept: number
  /** First entry of the turn that is split, or -1. */
  readonly turnStart: number
}

function isCutRole(entry: Entry): boolean {
  if (entry.type === 'message') return CUT_ROLES.has(entry.message?.role ?? '')
  return makesMessage(entry)
}

/**
 * Turn starters of the seed: a user message, a bash execution, a custom_message, a branch_summary. What an extension says directly
 * after a user's row belongs to that turn (docs/spec/reading.md §2).
 */
function isTurnStart(path: readonly Entry[], index: number): boolean {
  const entry = path[index]
  if (entry === undefined) return false
  if (entry.type === 'message') return TURN_ROLES.has(entry.message?.role ?? '')
  return makesMessage(entry) && !(entry.type === 'custom_message' && isBehindUser(path, index))
}

function isBehindUser(path: readonly Entry[], index: number): boolean {
  for (let before = index - 1; before >= 0; before -= 1) {
    const entry = path[before]
    if (entry === undefined || entry.type === 'compaction' || entry.type === 'branch_summary') return false
    const role = entry.type === 'message' ? (entry.message?.role ?? '') : ''
    if (role === 'user') return true
    if (role !== '' && !EXTENSION_ROLES.has(role)) return false
  }
  return false
}

/**
 * Walks back over whole groups (an answer, its results and whatever came between). Gives the oldest valid point whose suffix
 * fits in `keepTokens`, else the newest one: the newest group is kept even when it alone is larger. -1 when there is none.
 */
function oldestFitting(live: LiveRegion, keepTokens: number, dropEntryId: string | null): number {
  const owners = callersOf(
    live.path.map((entry, at) =>
      at >= live.carriedStart && entry.type === 'message' ? (entry.message ?? null) : null,
    ),
  )
  const weights = entryWeights(live.path)
  let suffix = 0
  let oldestOwner = live.path.length
  let best = -1
  for (let index = live.path.length - 1; index >= live.windowStart; index -= 1) {
    const entry = live.path[index]
    if (entry === undefined || entry.id === dropEntryId) continue
    suffix += weights[index] ?? 0
    const owner = owners[index] ?? -1
    if (owner >= 0) oldestOwner = Math.min(oldestOwner, owner)
    // A suffix of no weight (an empty aborted answer) would keep nothing the model can read.
    if (oldestOwner < index || suffix === 0 || !isCutRole(entry)) continue
    if (suffix <= keepTokens || best < 0) best = index
    if (suffix > keepTokens) return best
  }
  return best
}

/** Metadata directly before the cut joins the kept side, up to anything that makes a message or a boundary. */
function absorbMetadata(live: LiveRegion, cut: number): number {
  let first = cut
  while (first > live.windowStart) {
    const before = live.path[first - 1]
    if (before === undefined || before.type === 'message' || makesMessage(before)) break
    first -= 1
  }
  return first
}

/** The start of the turn that the cut splits: searched in the window and on in the carried entries (docs/spec/compaction.md §12). */
function turnStartBefore(live: LiveRegion, cut: number): number {
  // Tested before metadata is absorbed: a complete turn must not look split (docs/spec/sessions.md §6, Q1).
  if (isTurnStart(live.path, cut)) return -1
  for (let index = cut - 1; index >= live.carriedStart; index -= 1) if (isTurnStart(live.path, index)) return index
  return -1
}

/**
 * Where to cut a live region so that about `keepTokens` stay, or null when nothing can be cut (docs/spec/compaction.md §5).
 * Never at a tool result, never between a call and its results. `dropEntryId` is treated as absent.
 */
export function findCutPoint(live: LiveRegion, keepTokens: number, dropEntryId: string | null = null): CutPoint | null {
  const cut = oldestFitting(live, keepTokens, dropEntryId)
  if (cut < 0) return null
  return { firstKept: absorbMetadata(live, cut), turnStart: turnStartBefore(live, cut) }
}
