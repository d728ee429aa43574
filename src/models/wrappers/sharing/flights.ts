import type { CompletionRequest } from '../../model.ts'
import { isSamePrompt } from '../../prompt.ts'
import type { Flight } from './flight.ts'
import { questionHead } from './request-key.ts'

/** The calls of one chain that others may still join. */
export interface Flights {
  find(request: CompletionRequest): Flight | undefined
  add(flight: Flight): void
  remove(flight: Flight): void
}

/**
 * Looked up by length, then compared word by word: texts that differ do so early, and a hash of a prompt of megabytes costs
 * more than everything else that is done for it.
 */
export function createFlights(): Flights {
  const byHead = new Map<string, Flight[]>()
  return {
    find(request) {
      return byHead.get(headOf(request))?.find(({ question }) => isSame(question, request))
    },
    add(flight) {
      const head = headOf(flight.question)
      const others = byHead.get(head)
      if (others === undefined) byHead.set(head, [flight])
      else others.push(flight)
    },
    remove(flight) {
      const head = headOf(flight.question)
      const others = byHead.get(head) ?? []
      const at = others.indexOf(flight)
      if (at >= 0) others.splice(at, 1)
      if (others.length === 0) byHead.delete(head)
    },
  }
}

/** A caller that bypasses the cache must not be given what a flight finds in it. */
const headOf = (request: CompletionRequest): string => `${request.noCache === true} ${questionHead(request)}`

const isSame = (one: CompletionRequest, other: CompletionRequest): boolean =>
  one.system === other.system && isSamePrompt(one.prompt, other.prompt)
