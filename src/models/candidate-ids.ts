/** The candidate that needs no network: it may use the last second, and takes prompts of any length (docs/spec/models.md §7). */
export const EXTRACTIVE_ID = 'recapd/extractive'

/** Mixtures are `moa/<name>` (docs/spec/models.md §8). */
export const MIXTURE_PREFIX = 'moa/'

/** `caller/<model>`: the provider that a proxied request was on its way to. */
export const CALLER_PREFIX = 'caller/'
