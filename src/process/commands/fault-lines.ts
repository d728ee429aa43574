import type { RecapdError } from '../../domain/errors.ts'

/** A failed pipeline as lines for a terminal: what is wrong and what mends it, then how each model did. No key, no stack. */
export function faultLines({ code, message, extras }: RecapdError, about = 'recapd'): readonly string[] {
  const faults = (extras.errors ?? []).map(({ path, message: expected }) => `  ${path}: ${expected}`)
  const attempts = (extras.attempts ?? []).map(
    ({ model, outcome, status }) => `  ${model}: ${outcome}${status === undefined ? '' : ` (${status})`}`,
  )
  return [`${about}: ${message} (${code})`, ...faults, ...attempts]
}
