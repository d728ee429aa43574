// Anything between white space, quotes, brackets and list punctuation that holds a separator or a file extension.
const CANDIDATE = /[^\s`'"“”‘’<>()[\]{},;|*=]+/g
// bounded: a token of at most 400 characters
const EDGE = /^[.:!?…]+(?=[^./])|(?<![.:!?…])[.:!?…]+$/g
const LINE_NUMBER = /:(?:\d+(?:[:-]\d+)?|raw)$/
const EXTENSION = /[^./\\]\.[A-Za-z][A-Za-z0-9]{0,7}$/
const SEPARATED = /[^/\\][/\\][^/\\]/

/** Tokens of a text that may be paths of files, line numbers and end punctuation taken off; addresses (`https://`) are not among them. */
export function pathTokens(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(CANDIDATE)) {
    if (match[0].length > 400 || match[0].includes('://')) continue
    const token = match[0].replace(EDGE, '').replace(LINE_NUMBER, '').replace(/^\.\//, '')
    if (token.length > 2 && (EXTENSION.test(token) || SEPARATED.test(token))) found.add(token)
  }
  return [...found]
}

/** True for a token that can only be meant as a path to a file: a separator and an extension (`and/or` has none). */
export function isFilePath(token: string): boolean {
  return EXTENSION.test(token) && SEPARATED.test(token)
}

/** Every tail of a path that begins at a separator, the path itself included. */
export function tailsOf(path: string): string[] {
  const tails = [path]
  for (let at = path.search(/[/\\]/), from = 0; at >= 0; at = path.slice(from).search(/[/\\]/)) {
    from += at + 1
    if (from < path.length) tails.push(path.slice(from))
    if (tails.length > 32) break
  }
  return tails
}
