import { cleanCharacters } from './clean.ts'

/** The end of a chunk that may be the beginning of a pair, a line end or a terminal code. Bounded, as those are. */
// bounded: the last 2,010 characters of a chunk (LONGEST_END)
const UNFINISHED =
  /(?:[\ud800-\udbff]|\r|(?:\u001b\[|\u009b)[0-9;:?]{0,32}|\u001b(?:\][^\u0007\u001b\n]{0,2000}\u001b?)?)$/
/** Longer than any unfinished end. */
const LONGEST_END = 2_010

/** `cleanCharacters` for a text that comes in pieces: what a piece ends in the middle of waits for the next one. */
export function chunkCleaner(): (chunk: string) => string {
  let waiting = ''
  return (chunk) => {
    const text = waiting + chunk
    const from = Math.max(0, text.length - LONGEST_END)
    const found = UNFINISHED.exec(from === 0 ? text : text.slice(from))
    const end = found === null ? text.length : from + found.index
    waiting = text.slice(end)
    return cleanCharacters(text.slice(0, end))
  }
}
