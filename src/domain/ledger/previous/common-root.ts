/** Fewer files than this are named whole. */
const LEAST_FILES = 3
const SHARE = 0.6
/** A folder shorter than this saves nothing. */
const LEAST_LENGTH = 12

/** The deepest folder that holds most of some absolute paths, with its slash at the end; '' where none is worth naming. */
export function commonRoot(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path))
  if (absolute.length < LEAST_FILES) return ''
  const counts = new Map<string, number>()
  for (const path of absolute)
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end + 1)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  let root = ''
  for (const [folder, count] of counts)
    if (
      count >= SHARE * absolute.length &&
      count >= LEAST_FILES &&
      folder.length > root.length &&
      folder.length >= LEAST_LENGTH
    )
      root = folder
  return root
}
