import type { PathUse } from '../conversation.ts'
import { cleanPath } from './clean-path.ts'

const ENVELOPE = /^\*\*\* (Update File|Add File|Delete File|Move to): (.{1,1024})$/gm
const DIFF = /^(---|\+\+\+|rename from|rename to) (?:[ab]\/)?([^\t\n]{1,1024})/gm
/** omp's line-anchored edits name each file on a line of its own. */
const ANCHOR = /^§(.{1,1024})$/gm
const USES: Readonly<Record<string, PathUse['use']>> = {
  'Update File': 'updated',
  'Add File': 'added',
  'Delete File': 'deleted',
}

/** Files that the headers of an `apply_patch` envelope name, in order; a moved one knows where it went. */
export function envelopeFiles(text: string): PathUse[] {
  if (!text.includes('*** ')) return []
  const files: PathUse[] = []
  for (const [, header = '', value] of text.matchAll(ENVELOPE)) {
    const path = cleanPath(value)
    if (path === null) continue
    const use = USES[header]
    const before = files.at(-1)
    if (use !== undefined) files.push({ path, use })
    else if (before !== undefined) files[files.length - 1] = { path: before.path, use: 'moved', to: path }
    else files.push({ path, use: 'updated' })
  }
  return files
}

/** Files of any patch: envelope, line-anchored edit, unified diff. */
export function patchFiles(text: string): PathUse[] {
  const envelope = envelopeFiles(text)
  if (envelope.length > 0) return envelope
  if (text.startsWith('§') || text.includes('\n§'))
    return Array.from(text.matchAll(ANCHOR), (match) => cleanPath(match[1])).flatMap((path) =>
      path === null ? [] : [{ path, use: 'updated' }],
    )
  return text.includes('+++ ') || text.includes('rename to ') ? diffFiles(text) : []
}

const NOWHERE = '/dev/null'

function diffFiles(text: string): PathUse[] {
  const files: PathUse[] = []
  let old: string | null = null
  for (const [, mark = '', value = ''] of text.matchAll(DIFF)) {
    const path = cleanPath(value)
    if (path === null) continue
    if (mark === '---' || mark === 'rename from') old = path
    else {
      if (path === NOWHERE && old !== null) files.push({ path: old, use: 'deleted' })
      else if (old === NOWHERE) files.push({ path, use: 'added' })
      else if (old !== null && old !== path) files.push({ path: old, use: 'moved', to: path })
      else if (path !== NOWHERE) files.push({ path, use: 'updated' })
      old = null
    }
  }
  return files
}
