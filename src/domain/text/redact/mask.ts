/** What stands in the place of a secret. Constant: a partial mask would leak. */
export const MASK = '[REDACTED]'
