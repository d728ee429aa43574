import { contentText } from '../../domain/dialects/content-text.ts'
import { resultId } from '../../domain/dialects/row.ts'
import { type PrunedRows, pruneRows } from '../../domain/list/plan/prune-rows.ts'
import { chatMessageTokens } from '../../domain/tokens/chat-tokens.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import type { PruneRequest, PruneResult } from '../prune-schema.ts'
import { pruneSettingsOf } from '../request-settings.ts'
import { openList, readingWarnings } from './open-list.ts'

/** Rows at the end whose results stay whatever they weigh. */
const LEAST_KEPT_ROWS = 3

/** Which results of a list can go, and the line that stands for each (docs/spec/reading.md §4). Changes nothing. */
export function pruneList({ request, context, deps }: PipelineCall<PruneRequest>): Omit<PruneResult, 'source'> {
  const list = openList(request, { context, deps })
  const settings = pruneSettingsOf(request)
  const pruned = pruneRows(list.rows, {
    tailTokens: settings.protectTokens,
    softCeilingTokens: Number.POSITIVE_INFINITY,
    protectLast: LEAST_KEPT_ROWS,
    protectedTools: settings.protectedTools,
    minimumSavingsTokens: settings.minimumSavings,
    resultsOnly: true,
  })
  const { tokensSaved } = pruned
  const entries = entriesOf(pruned, list.rows)
  return { count: entries.length, tokensSaved, entries, warnings: readingWarnings(list, context) }
}

function entriesOf({ rows, demoted }: PrunedRows, before: PrunedRows['rows']): PruneResult['entries'] {
  return demoted
    .toSorted((a, b) => a - b)
    .flatMap((at) => {
      const [now, was] = [rows[at], before[at]]
      if (now === undefined || was === undefined) return []
      const { index, message } = now
      return [
        {
          index,
          id: resultId(was.message),
          text: contentText(message.content),
          tokens: chatMessageTokens(was.message),
        },
      ]
    })
}
