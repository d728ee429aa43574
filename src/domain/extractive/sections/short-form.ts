import type { Ledger } from '../../ledger/ledger-value.ts'
import { cutAtWord, quoteLine } from '../../text/quote.ts'

const REQUEST_MOST = 320
const LAST_MOST = 320
const MOST_FILES = 4
/** "yes, do it" tells a reader of a list of sessions nothing. */
const TELLING_REQUEST = 25

/** Two or three sentences: what was asked, what was changed, how it ended. */
export function shortSentences({ asks, files, outcomes, lastWords, lastSteps }: Ledger): string[] {
  const sentences: string[] = []
  const newest = asks.findLast(({ text }) => text.length >= TELLING_REQUEST) ?? asks.at(-1)
  if (newest !== undefined) sentences.push(ended(`The request was: ${quoteLine(newest.text, REQUEST_MOST)}`))
  const paths = files.modified.map(({ path }) => path).toReversed()
  if (paths.length > 0) {
    const more = paths.length > MOST_FILES ? ` and ${paths.length - MOST_FILES} more` : ''
    sentences.push(`I changed ${paths.slice(0, MOST_FILES).join(', ')}${more}.`)
  } else if (lastSteps.length > 0) sentences.push('I changed no file.')
  const said = outcomes.at(-1)?.text ?? lastWords
  if (said !== '') sentences.push(ended(`Last I said: ${cutAtWord(quoteLine(said, 2 * LAST_MOST), LAST_MOST)}`))
  return sentences
}

function ended(sentence: string): string {
  return /[.!?。！？…]["'”’»)`*]*$/.test(sentence) ? sentence : `${sentence.replace(/(?<![\s:;,])[\s:;,]+$/, '')}.`
}
