/** The five hooks of the first seed, by its names (session-compaction §11). */
export type HookName =
  | 'session_before_compact'
  | 'session.compacting'
  | 'session_compact'
  | 'session_before_tree'
  | 'session_tree'

/** What running one hook came to: its answer as it was given, and a warning where it misbehaved (and was ignored). */
export interface HookOutcome {
  readonly result: unknown
  readonly warning?: string
}

/** The operator's hooks as the pipelines see them: they never throw and never take longer than their time limit. */
export interface Hooks {
  has(name: HookName): boolean
  run(name: HookName, event: object, signal: AbortSignal): Promise<HookOutcome>
}

export const noHooks: Hooks = {
  has: () => false,
  run: async () => ({ result: undefined }),
}
