import type { Digest } from './digest.ts'
import { realAsks } from './goals.ts'
import { changedFiles } from './progress.ts'
import { cutAtWord, quoteLine } from './quote.ts'
import { lastSubstantive, saidIn } from './statements.ts'

const REQUEST_MOST = 320
const LAST_MOST = 320
const MOST_FILES = 4

/** Two or three sentences: what was asked, what was changed, how it ended. */
export function shortSentences(conversation: Digest): string[] {
  const asks = realAsks(conversation)
  const sentences: string[] = []
  const newest = asks.at(-1)
  if (newest !== undefined) sentences.push(ended(`The request was: ${quoteLine(newest.text, REQUEST_MOST)}`))
  const files = [...changedFiles(conversation).keys()]
  if (files.length > 0) {
    const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : ''
    sentences.push(`I changed ${files.slice(-MOST_FILES).join(', ')}${more}.`)
  } else if (conversation.steps.length > 0)
    sentences.push(`I made ${conversation.steps.length} tool calls and changed no file.`)
  const last = lastSubstantive(conversation)
  const said = last === undefined ? undefined : (saidIn(last)[0]?.sentence ?? quoteLine(last.text, LAST_MOST))
  if (said !== undefined) sentences.push(ended(`Last I said: ${cutAtWord(said, LAST_MOST)}`))
  return sentences
}

function ended(sentence: string): string {
  return /[.!?。！？…]["'”’»)`*]*$/.test(sentence) ? sentence : `${sentence.replace(/[\s:;,]+$/, '')}.`
}
