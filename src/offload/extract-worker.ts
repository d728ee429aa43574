import { summariseExtractively } from '../domain/extractive/summarise-extractively.ts'

const decoder = new TextDecoder()

/** A prompt over 1 MiB, transferred as bytes, summarised without a language model in this thread. */
export function extract({ bytes, maxTokens }: { bytes: Uint8Array; maxTokens: number | undefined }): string {
  return summariseExtractively({ prompt: decoder.decode(bytes), maxTokens })
}
