import { type Hooks, noHooks } from './hooks.ts'
import type { PipelineObserver } from './pipeline-observer.ts'

/** The operator's hooks; none is configured until a file is named. */
export async function loadHooks(_file: string | undefined, _observer: PipelineObserver): Promise<Hooks> {
  return noHooks
}
