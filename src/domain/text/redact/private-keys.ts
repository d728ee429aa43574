import { MASK } from './mask.ts'

const BEGIN = '-----BEGIN '
const NAME = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y
// bounded: a window of at most 20,000 characters; every repetition has a bound of 40
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const BODY = /(?:[\s\\nr]|[A-Za-z0-9+/=]{40,200})*/y
const MOST = 20_000

/** A private key block, whole; without its end (a cut transcript) the body that is there. */
export function maskPrivateKeys(text: string): string {
  let at = text.indexOf(BEGIN)
  if (at < 0) return text
  const parts: string[] = []
  let copied = 0
  for (; at >= 0; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    NAME.lastIndex = at
    if (at < copied || !NAME.test(text)) continue
    const end = endOf(text, NAME.lastIndex)
    parts.push(text.slice(copied, at), MASK)
    copied = end
  }
  return parts.join('') + text.slice(copied)
}

function endOf(text: string, from: number): number {
  const next = text.indexOf(BEGIN, from)
  const window = text.slice(from, Math.min(from + MOST, next < 0 ? text.length : next))
  END.lastIndex = 0
  if (END.test(window)) return from + END.lastIndex
  BODY.lastIndex = from
  return from + (BODY.exec(text)?.[0].length ?? 0)
}
