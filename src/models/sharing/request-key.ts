import { createHash } from 'node:crypto'
import type { CompletionRequest } from '../model.ts'

/** The name of a question: equal requests to one chain have equal names. */
export interface RequestKey {
  of(request: CompletionRequest): string
  /** Lets a copy of a request keep its name, so that a prompt of megabytes is hashed once. */
  carry(from: CompletionRequest, to: CompletionRequest): CompletionRequest
}

/** SHA-256 over chain id, system, prompt and whatever else changes the answer (models.md §5), in hex. */
export function requestKey(chainId: string): RequestKey {
  const names = new WeakMap<CompletionRequest, string>()
  const of = (request: CompletionRequest) => {
    const known = names.get(request)
    if (known !== undefined) return known
    const { system, prompt, maxTokens = null, expects = 'text', fold = true } = request
    // Lengths first: without them "ab" + "c" and "a" + "bc" were one question.
    const head = JSON.stringify([chainId, maxTokens, expects, fold, system.length, prompt.length])
    const name = createHash('sha256').update(head).update(system).update(prompt).digest('hex')
    names.set(request, name)
    return name
  }
  return {
    of,
    carry(from, to) {
      names.set(to, of(from))
      return to
    },
  }
}
