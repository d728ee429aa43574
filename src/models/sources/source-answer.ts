import type { Completion } from '../model.ts'

/** What a source says of its answer; the rest is what every fresh answer has. */
type Said = Pick<Completion, 'text' | 'model' | 'usage' | 'method'> & Partial<Completion>

/** An answer as a source gives it: whole, of a language model and without a warning, unless it says otherwise. Rows are the wrappers'. */
export const sourceAnswer = (said: Said): Completion => ({
  truncated: false,
  degraded: false,
  attempts: [],
  calls: [],
  warnings: [],
  ...said,
})
