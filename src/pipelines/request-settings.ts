import { DEFAULT_PRUNE, type EntryPruneSettings } from '../domain/compaction/prune-entries.ts'
import { type CompactionSettings, resolveSettings } from '../domain/compaction/settings.ts'
import type { SelectedModel } from '../models/model.ts'
import type { CompactRequest } from './compact-schema.ts'
import type { PipelineDeps } from './pipeline-context.ts'

/** The agent's window in tokens: its own figure, or the first candidate's where it gives 0 or none. */
export const askedWindow = (asked: number | undefined, { candidates }: SelectedModel): number =>
  asked || candidates[0].contextWindow

/** A request's settings win over the configuration, each by itself. */
export function settingsOf(
  request: Pick<CompactRequest, 'settings' | 'contextWindow'>,
  model: SelectedModel,
  { defaults }: PipelineDeps,
): { readonly settings: CompactionSettings; readonly warnings: readonly string[] } {
  const own = Object.fromEntries(Object.entries(request.settings ?? {}).filter(([, value]) => value !== undefined))
  return resolveSettings({ ...defaults.compaction, ...own }, askedWindow(request.contextWindow, model))
}

type AskedPruning = { readonly [Name in keyof EntryPruneSettings]?: EntryPruneSettings[Name] | undefined }

/** Settings for pruning with the defaults of what is not named. */
export function pruneSettingsOf({ protectTokens, minimumSavings, protectedTools }: AskedPruning): EntryPruneSettings {
  return {
    protectTokens: protectTokens ?? DEFAULT_PRUNE.protectTokens,
    minimumSavings: minimumSavings ?? DEFAULT_PRUNE.minimumSavings,
    protectedTools: protectedTools ?? DEFAULT_PRUNE.protectedTools,
  }
}
