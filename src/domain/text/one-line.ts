import { cleanCharacters } from './clean.ts'
import { redact } from './redact.ts'
import { neutralizeData } from './structure/neutralize.ts'

// Room in front of the cut, so that a secret that crosses it is seen whole and masked before cutting (docs/spec/lists.md §6).
const MARGIN = 4_000

/** A text on one line of at most `most` UTF-16 units: redacted and without tags and labels of our
 * own, then its middle taken out, two thirds of the room in front. */
export function oneLine(text: string, most: number): string {
  const bounded =
    text.length > 2 * (most + MARGIN) ? `${text.slice(0, most + MARGIN)} … ${text.slice(-most - MARGIN)}` : text
  const line = neutralizeData(redact(cleanCharacters(bounded)).replace(/\s+/g, ' ').trim())
  if (line.length <= most) return line
  const head = Math.floor(((most - 3) * 2) / 3)
  return `${line.slice(0, head).trimEnd()} … ${line.slice(line.length - (most - 3 - head)).trimStart()}`.toWellFormed()
}
