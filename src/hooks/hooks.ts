import type { HookName, HookResults } from './hook-results.ts'
import type {
  SessionBeforeCompactEvent,
  SessionBeforeTreeEvent,
  SessionCompactEvent,
  SessionCompactingEvent,
  SessionTreeEvent,
} from './hook-types.ts'

/** What the pipelines tell each hook; its signal is added where it runs. */
export interface HookEvents {
  readonly session_before_compact: Omit<SessionBeforeCompactEvent, 'signal'>
  readonly 'session.compacting': SessionCompactingEvent
  readonly session_compact: SessionCompactEvent
  readonly session_before_tree: Omit<SessionBeforeTreeEvent, 'signal'>
  readonly session_tree: SessionTreeEvent
}

/** What running one hook came to. `result` is plain data that fits its schema; where the hook misbehaved there is a warning instead. */
export interface HookOutcome<Name extends HookName> {
  readonly result?: HookResults[Name] | undefined
  readonly warnings: readonly string[]
}

/** The operator's hooks as the pipelines see them: nothing they do can fail a request; only the request's own signal can. */
export interface Hooks {
  has(name: HookName): boolean
  run<Name extends HookName>(hook: HookRun<Name>, signal: AbortSignal): Promise<HookOutcome<Name>>
}

/** One run of a hook. */
export interface HookRun<Name extends HookName> {
  readonly name: Name
  readonly event: HookEvents[Name]
  /** Says what is wrong with a result that fits its schema and cannot be used all the same. */
  readonly refuse?: ((result: HookResults[Name]) => string | null) | undefined
}

export const noHooks: Hooks = {
  has: () => false,
  run: async () => ({ warnings: [] }),
}
