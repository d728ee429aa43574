import type { SelectedModel } from '../models/model.ts'
import type { CallContext, PipelineDeps } from './pipeline-context.ts'

/** What a request may say of the models that answer it. */
interface Asked {
  readonly model?: string | undefined
  readonly strategy?: string | undefined
}

/** Which chain answers: the asked model or mixture first, of those that the caller's key allows. Throws unknown-model or forbidden. */
export const selectModel = (
  { model, strategy }: Asked,
  { allowedModels, wire }: CallContext,
  { models }: PipelineDeps,
): SelectedModel => models.select({ model, strategy, allowed: allowedModels, throughCaller: wire !== undefined })
