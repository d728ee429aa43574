import type { PathUse } from '../conversation/conversation.ts'
import type { ModifiedFile } from './ledger-value.ts'
import type { Act, Timeline } from './timeline.ts'

/** Places whose files nobody keeps. */
export const TEMPORARY = /^(?:\/tmp\/|\/var\/folders\/|\/private\/tmp\/|\/dev\/|~\/\.cache\/)/
const HOW: Readonly<Record<Exclude<PathUse['use'], 'read'>, ModifiedFile['how']>> = {
  added: 'written',
  updated: 'edited',
  deleted: 'deleted',
  moved: 'moved',
}

/** Whether what a call did counts: it neither failed nor was it refused or stopped. Transcripts leave empty results out. */
export const isDone = ({ result }: Act): boolean => result?.status === 'ok' || result?.status === 'unknown'

/** Files by what became of them, in the order of their last change; temporary ones only where there are no others. */
export function filesOf(timeline: Timeline): { read: string[]; modified: ModifiedFile[] } {
  const modified = new Map<string, ModifiedFile>()
  const read = new Set<string>()
  for (const act of timeline.acts) {
    if (!isDone(act)) continue
    for (const { path: named, use, to } of act.call.paths) {
      const path = named.replace(/^\.\//, '')
      if (use === 'read') {
        read.delete(path)
        read.add(path)
      } else modify(modified, { path, how: HOW[use], to: to === undefined ? undefined : placeOf(path, to) })
    }
  }
  const all = [...modified.values()]
  const lasting = all.filter(({ path }) => !TEMPORARY.test(path))
  return { read: [...read].filter((path) => !modified.has(path)), modified: lasting.length === 0 ? all : lasting }
}

/** The newest word on a file counts; one that was written stays written when it is edited: its author knows all of it. */
export function modify(modified: Map<string, ModifiedFile>, file: ModifiedFile): void {
  const before = modified.get(file.path)
  modified.delete(file.path)
  modified.set(file.path, file.how === 'edited' && before?.how === 'written' ? before : file)
}

/** A folder where the name stayed: only that was written in the command. */
function placeOf(path: string, to: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return to.endsWith(`/${name}`) ? to.slice(0, -name.length - 1) : to
}
