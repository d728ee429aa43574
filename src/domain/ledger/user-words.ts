import { proseLines } from '../text/prose.ts'
import { isTrivialTurn } from './trivial-turn.ts'

const LETTER = /[\p{L}\p{N}]/u
const LONGEST = 64_000

/** What a user says in words: code and pasted logs left out; all of it when nothing is left. */
export function ownWords(text: string): string {
  const bare = bounded(text)
  const prose = proseLines(bare).join('\n').trim()
  return prose === '' ? bare.trim() : prose
}

/** False for turns that ask for nothing by themselves: "ok", "go on", slash commands, an emoji. */
export function isSubstantive(words: string): boolean {
  const turn = words.trim()
  return LETTER.test(turn) && !isTrivialTurn(turn)
}

/** A turn of a megabyte is a paste: what its author says stands before or after it. */
function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
}
