/** What was made of one part of a conversation, by whoever made it. */
export interface Memory {
  readonly made: unknown[]
}

const memories = new WeakMap<object, Memory>()

/** The memory of an object: it lives as long as that does. Asked for once a part, since the look-up costs more than most of what is made. */
export function memoryOf(owner: object): Memory {
  const known = memories.get(owner)
  if (known !== undefined) return known
  const memory = { made: [] }
  memories.set(owner, memory)
  return memory
}

let kinds = 0

/**
 * Remembers what was made of a part for as long as the part is there: a session is read once, although its whole and its
 * history are told apart (docs/spec/reading.md §1).
 */
export function remembering<T>(): (memory: Memory, make: () => T) => T {
  const kind = kinds
  kinds += 1
  return ({ made }, make) => {
    const before = made[kind] as { readonly value: T } | undefined
    if (before !== undefined) return before.value
    const value = make()
    made[kind] = { value }
    return value
  }
}
