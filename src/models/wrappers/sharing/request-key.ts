import { createHash } from 'node:crypto'
import type { CompletionRequest } from '../../model.ts'

/** SHA-256 over chain id, system, prompt and whatever else changes the answer (docs/spec/models.md §5), in hex. */
export type RequestKey = (request: CompletionRequest) => string

export function requestKey(chainId: string): RequestKey {
  return (request) => {
    const head = JSON.stringify([chainId, questionHead(request)])
    const { system, prompt } = request
    return createHash('sha256')
      .update(head)
      .update(system)
      .update(prompt.json ?? prompt.text)
      .digest('hex')
  }
}

/** All of a question but its words. Their lengths are part of it: without them "ab" + "c" and "a" + "bc" would be one question. */
export function questionHead({
  system,
  prompt,
  maxTokens = 0,
  expects = 'text',
  fold = true,
}: CompletionRequest): string {
  const form = prompt.json === undefined ? 'text' : 'json'
  return `${maxTokens} ${expects} ${fold} ${system.length} ${form} ${prompt.length}`
}
