import type { RegionCall } from './region.ts'
import { PATH_ARGUMENTS, toolEffect } from './tool-names.ts'

const PATCH_HEADER = /^(?:\*\*\* (?:Update|Add|Delete) File: |\*\*\* Move to: |\+\+\+ b\/)([^\t\n]{1,400})/gm
const PATCH_MARKS = ['*** Begin Patch', '+++ b/'] as const

/** Paths that a successful call modified, as written in its arguments or in the headers of its patch. */
export function modifiedPaths(call: RegionCall): string[] {
  if (call.failed) return []
  const effect = toolEffect(call.name)
  const patched = Object.values(call.args).flatMap(strings).flatMap(patchPaths)
  // The editor that views and edits under one name changes nothing when it views.
  const isView = call.args['command'] === 'view'
  if ((effect !== 'write' && effect !== 'edit' && effect !== 'patch') || isView) return patched
  const named = PATH_ARGUMENTS.map((name) => call.args[name]).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  return typeof named === 'string' && !named.includes('://') ? [named.trim(), ...patched] : patched
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function patchPaths(text: string): string[] {
  if (!PATCH_MARKS.some((mark) => text.includes(mark))) return []
  return Array.from(text.matchAll(PATCH_HEADER), (match) => (match[1] ?? '').trim()).filter((path) => path !== '')
}
