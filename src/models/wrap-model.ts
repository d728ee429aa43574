import type { Model } from './model.ts'

/** The same facts, another way to an answer: what every wrapper returns. `id` renames (a chain is not its first candidate). */
export function wrapModel(model: Model, complete: Model['complete'], id = model.id): Model {
  const { contextWindow, maxOutputTokens } = model
  return { id, contextWindow, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }), complete }
}
