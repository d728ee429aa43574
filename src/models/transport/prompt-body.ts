import type { CompletionRequest } from '../model.ts'

/**
 * A request body as JSON. `shell` puts a prompt into it as the last of its strings, so that a prompt which came as JSON
 * can be set in as it was spelled: decoding and encoding it again is most of what a long request costs.
 */
export function promptBody(
  { prompt }: Pick<CompletionRequest, 'prompt'>,
  shell: (prompt: string) => object,
): string | Buffer {
  if (prompt.json === undefined) return JSON.stringify(shell(prompt.text))
  const json = JSON.stringify(shell(''))
  const at = json.lastIndexOf(EMPTY)
  return Buffer.concat([Buffer.from(json.slice(0, at)), prompt.json, Buffer.from(json.slice(at + EMPTY.length))])
}

const EMPTY = '""'
