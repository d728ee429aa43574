import { HOOK_NAMES, type HookName } from '../../src/hooks/hook-results.ts'
import type { RecapdHooks } from '../../src/hooks/hook-types.ts'
import type { Hooks } from '../../src/hooks/hooks.ts'
import type { PipelineObserver } from '../../src/hooks/pipeline-observer.ts'
import { silentPipelineObserver } from '../../src/hooks/pipeline-observer.ts'
import { createHooks } from '../../src/hooks/run-hook.ts'

export interface HookRecord {
  readonly hooks: Hooks
  /** Names of the runs that were timed. */
  readonly runs: string[]
  readonly faults: (readonly [name: string, fault: string])[]
}

/** Functions as if a hook file had exported them; also such as no honest author would write. */
export function hooksOf(
  given: RecapdHooks | Readonly<Partial<Record<HookName, (event: never) => unknown>>>,
  limitMs?: number,
): HookRecord {
  const runs: string[] = []
  const faults: (readonly [string, string])[] = []
  const report = (name: string, fault: string) => void faults.push([name, fault])
  const functions = new Map(
    HOOK_NAMES.flatMap((name) => {
      const hook = given[name] as ((event: object) => unknown) | undefined
      return hook === undefined ? [] : [[name, hook] as const]
    }),
  )
  const observer: PipelineObserver = {
    ...silentPipelineObserver,
    hook: (name) => void runs.push(name),
    hookFault: report,
  }
  return { hooks: createHooks({ url: 'file:///hooks.ts', functions, report }, observer, limitMs), runs, faults }
}
