/** Longer strings are not paths, whatever argument they stand in. */
const PATH_LIMIT = 1024
/** What read tools let an agent put after a path: `:50-200`, `:12`, `:50+20`, `:5-16,960-973`, `:raw` (docs/spec/compaction.md §8). */
const SELECTOR = /:(?:raw|\d[\d,+-]{0,200})$/i
const SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//i
const CONTROL = /[\u0000-\u001f\u007f]/

/** The path without selectors, or null for what names no file: blank, a directory, an address, control characters in it. */
export function cleanPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > PATH_LIMIT) return null
  let path = value.trim()
  // `file:12:raw` has two; `C:\\x` has none, since a drive is followed by no digit alone.
  for (let stripped = path.replace(SELECTOR, ''); stripped !== path; stripped = path.replace(SELECTOR, ''))
    path = stripped
  if (path.startsWith('file:///')) path = path.slice(7)
  return path === '' || path.endsWith('/') || SCHEME.test(path) || CONTROL.test(path) ? null : path
}

/** Cleaned, blanks and repetitions left out. */
export function cleanPaths(values: readonly unknown[]): string[] {
  return [...new Set(values.map(cleanPath).filter((path) => path !== null))]
}
