/**
 * Remembers what was made of an object for as long as the object is: a session is read once, although its whole and its
 * history are told apart (docs/spec/reading.md §1).
 */
export function remembering<T>(): (owner: object, make: () => T) => T {
  const known = new WeakMap<object, { readonly made: T }>()
  return (owner, make) => {
    const before = known.get(owner)
    if (before !== undefined) return before.made
    const made = make()
    known.set(owner, { made })
    return made
  }
}
