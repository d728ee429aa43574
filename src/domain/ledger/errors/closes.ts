import type { Work } from './works-of.ts'

/** What failed, as far as later successes are measured by it. */
export interface Failed {
  readonly work: Work
  /** Everything the result said: a narrower run counts where it names that run's target. */
  readonly output: string
}

/** Whether a success of one work settles an earlier failure of another (docs/spec/truth.md §2). */
export function closes(done: Work, { work, output }: Failed): boolean {
  if (done.isLooking || done.family !== work.family) return false
  const isSame = done.targets.some((target) => work.targets.some((other) => contains(target, other)))
  if (work.family === 'edit') return work.targets.length === 0 || isSame
  if (work.family.startsWith('inline ') || work.family.startsWith('tool ')) return true
  if (!coversScope(done.scope, work.scope, output)) return false
  // Without a target it failed somewhere; the place where it failed is what was run again.
  return done.targets.length === 0 || isSame || done.targets.some((target) => isNamed(target, output))
}

/** The same directory, one that holds it, or none; a narrower one only where the failure names it. */
function coversScope(done: string, failed: string, output: string): boolean {
  if (done === failed || done === '') return true
  return failed === '' ? isNamed(done, output) : contains(done, failed)
}

function contains(wide: string, narrow: string): boolean {
  if (isSamePath(wide, narrow)) return true
  const folder = bare(wide).replace(/\/?(?:\.\.\.|\*{1,2})?$/, '')
  return folder !== '' && (bare(narrow).startsWith(`${folder}/`) || narrow.includes(`/${folder}/`))
}

/** Without `./` and without the test inside the file. */
const bare = (path: string): string => path.replace(/^\.\//, '').split('::', 1)[0] ?? ''

function isSamePath(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  return a === b || (a !== '' && b !== '' && (a.endsWith(`/${b}`) || b.endsWith(`/${a}`)))
}

function isNamed(target: string, output: string): boolean {
  const path = bare(target)
  if (path.length < 3) return false
  const base = path.slice(path.lastIndexOf('/') + 1)
  return output.includes(path) || (base.includes('.') && output.includes(base))
}
