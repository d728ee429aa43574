import type { FoldInput, FoldPlan } from '../../../domain/transcript/fold-plan.ts'
import type { Clock } from '../../clock.ts'
import type { ModelObserver } from '../../observer.ts'

export interface FoldOptions {
  readonly mode: 'parallel' | 'sequential'
  /** Calls at once, per request. */
  readonly concurrency: number
  /** `prompts/fold-part.md`, `fold-merge.md` and, for sequential reading, `compaction-update-summary.md`. */
  readonly templates: { readonly part: string; readonly merge: string; readonly update: string }
  readonly clock: Clock
  readonly observer: ModelObserver
  /** Where long prompts are planned; in this thread unless a worker is given (architecture.md, offload). */
  readonly plan?: (input: FoldInput, signal: AbortSignal) => Promise<FoldPlan>
}
