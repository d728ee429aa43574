import type { Structure } from './structure.ts'

/** What a body costs while it is worked on, in bytes; measured and rounded up (test/hostile/memory.test.ts holds the sum). */
export interface BodyCost {
  /** In the heap of the thread that works on it: its text, its values, transcripts and prompts. */
  readonly heapBytes: number
  /** In the heap of the event loop: prompts on their way to a model, the answer on its way out. */
  readonly mainBytes: number
}

/** Heap of one value beside its text: an empty object takes 56 bytes and a place in a list. */
const VALUE_BYTES = 72
/** Text becomes: the decoded body, the strings parsed from it, a transcript, a prompt, the answer. */
const HEAP_FACTOR = { json: 7, ndjson: 8 } as const
const MAIN_FACTOR = 2

export function bodyCost(mediaType: 'json' | 'ndjson', bytes: number, { values }: Pick<Structure, 'values'>): BodyCost {
  return { heapBytes: bytes * HEAP_FACTOR[mediaType] + values * VALUE_BYTES, mainBytes: bytes * MAIN_FACTOR }
}
