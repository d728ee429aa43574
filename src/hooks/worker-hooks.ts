import { HOOK_NAMES } from './hook-results.ts'
import { type Hooks, noHooks } from './hooks.ts'
import { loadHookFile } from './load-hooks.ts'
import type { PipelineObserver } from './pipeline-observer.ts'
import type { HookFile } from './run-hook.ts'
import { createHooks } from './run-hook.ts'

/** The hooks of this thread, loaded once; each call's own observer hears of its runs. */
export async function workerHooks(
  file: string | undefined,
  report: HookFile['report'],
): Promise<(observer: PipelineObserver) => Hooks> {
  if (file === undefined) return () => noHooks
  const loaded = await load(file, report)
  return (observer) => createHooks(loaded, observer)
}

/**
 * The service did load the file when it started. If it has been changed since and is broken now, every hook of it counts
 * as one that throws: a warning in each answer, rather than big bodies that fail.
 */
async function load(file: string, report: HookFile['report']): Promise<HookFile> {
  try {
    return await loadHookFile(file, report)
  } catch (error) {
    const broken = () => {
      throw error
    }
    return { url: file, functions: new Map(HOOK_NAMES.map((name) => [name, broken])), report }
  }
}
