import type { SelectedModel } from '../../models/model.ts'
import type { CompactRequest } from '../compact-schema.ts'
import type { CallContext, PipelineDeps } from '../pipeline-context.ts'
import { sha256 } from './prepared.ts'

export interface VariantInput {
  readonly kind: 'session' | 'list'
  readonly request: CompactRequest
  readonly context: CallContext
  readonly model: SelectedModel
  readonly deps: PipelineDeps
}

/** Everything beside the rows that decides a summary: a caller with other settings must not be given this one. */
export function variantOf({ kind, request, context, model, deps }: VariantInput): string {
  const { customInstructions, additionalContext, promptOverride, focus, format, settings, maxTokens, shortSummary } =
    request
  return sha256(
    kind,
    context.callerName,
    JSON.stringify(model.candidates.map(({ id }) => id)),
    JSON.stringify([customInstructions, additionalContext, promptOverride, focus, format]),
    JSON.stringify([settings?.reserveTokens, maxTokens, kind === 'session' ? (shortSummary ?? true) : false]),
    JSON.stringify(deps.prompts),
  )
}
