import { cutAtWord, quoteLine } from '../../text/quote.ts'
import type { Digest, Step } from '../digest.ts'
import { firstTelling, lastSubstantive } from '../statements.ts'
import { realAsks } from './goals.ts'
import { changedFiles } from './progress.ts'

const REQUEST_MOST = 320
const LAST_MOST = 320
const MOST_FILES = 4
/** "yes, do it" tells a reader of a list of sessions nothing. */
const TELLING_REQUEST = 25

/** Two or three sentences: what was asked, what was changed, how it ended. */
export function shortSentences(conversation: Digest): string[] {
  const asks = realAsks(conversation)
  const sentences: string[] = []
  const newest = asks.findLast((ask) => ask.text.length >= TELLING_REQUEST) ?? asks.at(-1)
  if (newest !== undefined) sentences.push(ended(`The request was: ${quoteLine(newest.text, REQUEST_MOST)}`))
  const lastChange = (steps: readonly Step[]): number => steps.at(-1)?.at ?? 0
  const files = [...changedFiles(conversation)]
    .sort(([, a], [, b]) => lastChange(b) - lastChange(a))
    .map(([path]) => path)
  if (files.length > 0) {
    const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : ''
    sentences.push(`I changed ${files.slice(0, MOST_FILES).join(', ')}${more}.`)
  } else if (conversation.steps.length > 0)
    sentences.push(`I made ${conversation.steps.length} tool calls and changed no file.`)
  const last = lastSubstantive(conversation)
  const said = last === undefined ? undefined : (firstTelling(last) ?? quoteLine(last.text, LAST_MOST))
  if (said !== undefined) sentences.push(ended(`Last I said: ${cutAtWord(said, LAST_MOST)}`))
  return sentences
}

function ended(sentence: string): string {
  return /[.!?。！？…]["'”’»)`*]*$/.test(sentence) ? sentence : `${sentence.replace(/[\s:;,]+$/, '')}.`
}
