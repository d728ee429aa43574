import { cleanCharacters } from './clean.ts'
import { redact } from './redact.ts'
import { areAllPlain, SIGNS, signsIn } from './signs.ts'
import { neutralizeData } from './structure/neutralize.ts'

/** Characters looked at in one go: enough to forget the cost of a call, little enough that most hold nothing. */
const BATCH = 16 * 1024

/** A text as it may stand in a prompt: broken characters removed, our tags, labels and marks defused, secrets masked. */
export function promptText(text: string): string {
  const signs = signsIn(text)
  return signs === 0 ? text : madeSafe(text, signs)
}

function madeSafe(text: string, signs: number): string {
  // What is removed may have separated characters that then stand together, so nothing is known of what is left.
  if ((signs & SIGNS.dirty) !== 0) return redact(neutralizeData(cleanCharacters(text)))
  const defused = (signs & SIGNS.data) === 0 ? text : neutralizeData(text)
  return (signs & SIGNS.secret) === 0 ? defused : redact(defused)
}

/**
 * `promptText` of each, alone. Thousands of short texts are joined before they are looked at, since most hold nothing that
 * would have to be changed.
 */
export function promptTexts(texts: readonly string[]): readonly string[] {
  const made: string[] = []
  let from = 0
  let size = 0
  for (const [index, text] of texts.entries()) {
    size += text.length + 1
    const next = texts[index + 1]
    if (next !== undefined && size + next.length < BATCH) continue
    const batch = texts.slice(from, index + 1)
    const isPlain = batch.length > 1 && areAllPlain(batch)
    for (const each of batch) made.push(isPlain ? each : promptText(each))
    from = index + 1
    size = 0
  }
  return made
}
