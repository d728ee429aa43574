import { cleanCharacters } from './clean.ts'
import { redact } from './redact.ts'
import { SIGNS, signsIn, signsInEach } from './signs.ts'
import { neutralizeData } from './structure/neutralize.ts'

/** Characters looked at in one go: enough to forget the cost of a call. */
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

/** `promptText` of each, alone. Thousands of short texts are looked at together, since most hold nothing to be changed. */
export function promptTexts(texts: readonly string[]): readonly string[] {
  const made: string[] = []
  let batch: string[] = []
  let size = 0
  for (const text of texts) {
    if (size + text.length >= BATCH && batch.length > 0) {
      addSafe(made, batch)
      batch = []
      size = 0
    }
    batch.push(text)
    size += text.length + 1
  }
  if (batch.length > 0) addSafe(made, batch)
  return made
}

function addSafe(made: string[], batch: readonly string[]): void {
  const [only = ''] = batch
  if (batch.length === 1) made.push(promptText(only))
  else {
    const signs = signsInEach(batch)
    for (const [at, text] of batch.entries()) made.push(signs[at] === 0 ? text : madeSafe(text, signs[at] ?? 0))
  }
}
