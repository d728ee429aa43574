/** Headers about one connection only (RFC 9110 §7.6.1), and those that undici writes by itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The server has answered it already; undici refuses to send it. */
const NOT_FORWARDED: ReadonlySet<string> = new Set(['host', 'expect'])

/** A flat list of names and values, as Node and undici write it. */
export type RawHeaders = readonly string[]

/** The headers of a request as they are passed on: spelling, order and repeats kept, without those of our connection and those that hold our key. */
export function requestHeaders(raw: RawHeaders, isOurKey: (name: string, value: string) => boolean): string[] {
  return passed(raw, (name, value) => NOT_FORWARDED.has(name) || isOurKey(name, value))
}

/** The headers of an answer as they go back. */
export function responseHeaders(raw: RawHeaders): string[] {
  return passed(raw, () => false)
}

function passed(raw: RawHeaders, isDropped: (name: string, value: string) => boolean): string[] {
  const named = namedByConnection(raw)
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const spelled = raw[at] ?? ''
    const value = raw[at + 1] ?? ''
    const name = spelled.toLowerCase()
    if (!HOP_BY_HOP.has(name) && !named.has(name) && !isDropped(name, value)) kept.push(spelled, value)
  }
  return kept
}

const NONE: ReadonlySet<string> = new Set()
/** The usual values, which name no header. */
const KEPT_OPEN = /^(?:keep-alive|close)$/i

/** `Connection` may name further headers that end here. */
function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  let names: Set<string> | undefined
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]
    const value = raw[at + 1] ?? ''
    if (name?.length !== 10 || KEPT_OPEN.test(value) || name.toLowerCase() !== 'connection') continue
    names ??= new Set()
    for (const named of value.split(',')) names.add(named.trim().toLowerCase())
  }
  return names ?? NONE
}
