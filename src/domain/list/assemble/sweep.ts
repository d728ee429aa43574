import type { Loose } from '../../dialects/codec.ts'

/**
 * Takes top-level keys that begin with an underscore from every message: a store that finds its own marker on a compacted
 * row skips it, and the session is lost (#57491). A second line of defence for every copy; insides are not touched.
 */
export function sweepMarkers(messages: readonly Loose[]): Loose[] {
  return messages.map((message) => {
    const marked = Object.keys(message).some((key) => key.startsWith('_'))
    return marked ? Object.fromEntries(Object.entries(message).filter(([key]) => !key.startsWith('_'))) : message
  })
}
