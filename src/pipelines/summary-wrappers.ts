import type { Prompts } from '../domain/prompts/prompts-shape.ts'
import type { SummaryWrappers } from '../domain/session/to-llm.ts'
import { render } from '../domain/text/render.ts'
import { neutralizeSummaryTags } from '../domain/text/structure/neutralize.ts'

/** The wrapper sentences around stored summaries, as the prompts of this service word them. No summary can close its frame. */
export const wrappersOf = (prompts: Prompts): SummaryWrappers => ({
  compactionSummary: (summary) =>
    render(prompts['compaction-summary-context'], { summary: neutralizeSummaryTags(summary) }),
  branchSummary: (summary) => render(prompts['branch-summary-context'], { summary: neutralizeSummaryTags(summary) }),
})
