/** The candidate that needs no network: it may use the last second, and takes prompts of any length (docs/spec/models.md §7). */
export const EXTRACTIVE_ID = 'recapd/extractive'
