import { stringOf } from '../session/content.ts'
import type { Entry } from '../session/entry.ts'
import { liveRegion } from '../session/live.ts'
import { entryWeights, weighLike } from '../session/session-tokens.ts'
import { textTokens } from '../tokens/text-tokens.ts'

export interface EntryPruneSettings {
  /** The newest tokens of tool output that stay whatever they are. */
  readonly protectTokens: number
  /** Less than this in total is not worth a rewrite of the file. */
  readonly minimumSavings: number
  readonly protectedTools: readonly string[]
}

export const DEFAULT_PRUNE: EntryPruneSettings = {
  protectTokens: 40_000,
  minimumSavings: 20_000,
  protectedTools: ['skill', 'read'],
}

/** Results smaller than this are left alone: the placeholder would save next to nothing. */
const FLOOR_TOKENS = 50

export interface PrunedEntry {
  readonly id: string
  /** What stands in place of the output now. */
  readonly text: string
  /** Before pruning. */
  readonly tokens: number
}

export interface Pruned {
  readonly count: number
  readonly tokensSaved: number
  readonly entries: readonly PrunedEntry[]
}

export const NOTHING_PRUNED: Pruned = { count: 0, tokensSaved: 0, entries: [] }

function candidatesOf(path: readonly Entry[], settings: EntryPruneSettings): PrunedEntry[] {
  const live = liveRegion(path)
  const isProtected = new Set(settings.protectedTools.map((name) => name.toLowerCase()))
  const candidates: PrunedEntry[] = []
  const weights = entryWeights(path)
  let seenTokens = 0
  for (let index = path.length - 1; index >= live.carriedStart; index -= 1) {
    const entry = path[index]
    const message = entry?.type === 'message' ? entry.message : undefined
    if (entry === undefined || message?.role !== 'toolResult') continue
    const tokens = weights[index] ?? 0
    // Tested before adding, so the result that crosses the line is itself safe (docs/spec/sessions.md §12).
    const isSafe = seenTokens < settings.protectTokens || !!message.prunedAt || tokens < FLOOR_TOKENS
    seenTokens += tokens
    if (isSafe || isProtected.has(stringOf(message.toolName).toLowerCase())) continue
    candidates.push({ id: entry.id, text: `[Output truncated - ${tokens} tokens]`, tokens })
  }
  return candidates.reverse()
}

/**
 * Old tool output that can go (docs/spec/sessions.md §12): nothing before the compaction boundary, nothing at all when it saves too little.
 * Idempotent, since pruned results are never candidates again.
 */
export function pruneToolOutputs(path: readonly Entry[], settings: EntryPruneSettings): Pruned {
  const entries = candidatesOf(path, settings)
  const tokensSaved = entries.reduce((sum, { tokens, text }) => sum + Math.max(0, tokens - textTokens(text)), 0)
  if (entries.length === 0 || tokensSaved < settings.minimumSavings) return NOTHING_PRUNED
  return { count: entries.length, tokensSaved, entries }
}

/** A copy of the path with the pruned results replaced; entries that stay are the same objects. `prunedAtMs` is the caller's clock. */
export function applyPruning(path: readonly Entry[], pruned: Pruned, prunedAtMs: number): readonly Entry[] {
  if (pruned.count === 0) return path
  const texts = new Map(pruned.entries.map(({ id, text }) => [id, text]))
  const after = path.map((entry) => {
    const text = texts.get(entry.id)
    if (text === undefined || entry.message === undefined) return entry
    return { ...entry, message: { ...entry.message, content: [{ type: 'text', text }], prunedAt: prunedAtMs } }
  })
  weighLike(after, path)
  return after
}
