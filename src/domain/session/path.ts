import { RecapdError } from '../errors.ts'
import type { Entry } from './entry.ts'
import type { Session } from './session.ts'

function broken(
  session: Session,
  entry: Entry,
  { field, message }: { readonly field: string; readonly message: string },
): RecapdError {
  const path = `/entries/${session.rows.indexOf(entry)}/${field}`
  return new RecapdError('broken-tree', `Cannot walk the session tree: ${message}`, { errors: [{ path, message }] })
}

function parentOf(session: Session, entry: Entry): Entry | null {
  if (entry.parentId === null) return null
  const parent = session.byId.get(entry.parentId)
  if (parent === undefined)
    throw broken(session, entry, { field: 'parentId', message: 'the parent of an entry on the path is missing' })
  return parent
}

/** Entries from the root down to `leaf`, both included. Throws `broken-tree` for a cycle, a missing parent or a duplicate id. */
export function pathOf(session: Session, leaf: Entry): readonly Entry[] {
  const path: Entry[] = []
  for (let entry: Entry | null = leaf; entry !== null; entry = parentOf(session, entry)) {
    // A path longer than the tree has entries goes in a circle.
    if (path.length > session.byId.size)
      throw broken(session, entry, { field: 'parentId', message: 'the parents of an entry form a cycle' })
    if (session.duplicateIds.has(entry.id))
      throw broken(session, entry, { field: 'id', message: 'an id on the path occurs more than once' })
    path.push(entry)
  }
  return path.reverse()
}

/**
 * Path to the asked leaf, by default the last entry of the file. Throws `no-entries`, `unknown-leaf` or `broken-tree`.
 */
export function pathTo(session: Session, leafId?: string): readonly Entry[] {
  const last = session.entries.at(-1)
  if (last === undefined) throw new RecapdError('no-entries', 'The session has no entries beside its header; send some')
  if (leafId === undefined) return pathOf(session, last)
  const leaf = session.byId.get(leafId)
  if (leaf === undefined)
    throw new RecapdError('unknown-leaf', 'No entry has the id that leafId names; send the id of an entry')
  return pathOf(session, leaf)
}

/** Deepest entry that two paths share, or null when they have no root in common. */
export function commonAncestor(one: readonly Entry[], other: readonly Entry[]): Entry | null {
  let shared: Entry | null = null
  for (const [index, entry] of one.entries()) {
    if (other[index]?.id !== entry.id) break
    shared = entry
  }
  return shared
}
