import { isRecord } from './is-record.ts'

/**
 * Puts a value at a path of a tree; whatever stands on the way gives way to an object. The caller sees to it that no
 * part of the path is a name of every object (`__proto__`).
 */
export function setAt(tree: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[first] = value
    return
  }
  const inner = tree[first]
  const next = isRecord(inner) ? inner : {}
  tree[first] = next
  setAt(next, rest, value)
}
