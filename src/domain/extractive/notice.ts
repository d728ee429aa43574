/** First line of every answer of the embedded model: a reader has to know how it was made (docs/spec/models.md §7). */
export const NOTICE = 'Note: made without a language model, from quoted lines and counted facts.'
