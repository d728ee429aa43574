/** Deepest chain of escapes that is looked through for dots: `%252e` is a dot to somebody who decodes twice. */
const MAX_DECODINGS = 3

/**
 * Path and query below an upstream's URL, escapes as the caller spelled them; null where the path would climb out of it
 * or could be read so by a server that decodes once more than it should (docs/spec/faces.md §3, no open relay).
 */
export function targetPath(base: string, rest: string): string | null {
  const query = rest.indexOf('?')
  const path = query < 0 ? rest : rest.slice(0, query)
  if (climbs(path)) return null
  const joined = `${base.endsWith('/') ? base.slice(0, -1) : base}${path}`
  return `${joined === '' ? '/' : joined}${query < 0 ? '' : rest.slice(query)}`
}

/** Without these no segment can be read as dots. */
const DOTTED = /[.%\\]/

function climbs(path: string): boolean {
  if (!DOTTED.test(path)) return false
  let text = path
  for (let decoding = 0; decoding <= MAX_DECODINGS; decoding += 1) {
    if (text.split(/[/\\]/).some((segment) => segment === '..' || segment === '.')) return true
    const plain = decoded(text)
    if (plain === null) return true
    if (plain === text) return false
    text = plain
  }
  return true
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
