import { cutUserText } from '../conversation/speakers/cut-user-text.ts'
import { type Row, roleOf } from '../dialects/row.ts'
import { seenIn, textsOf } from '../dialects/rows-to-conversation.ts'

/** What an agent is told to send after a threshold compaction (docs/spec/contract.md §3a). */
export const CONTINUE_PROMPT = 'Continue if you have next steps.'

// Plans ask the same rows again and again; messages are never mutated.
const remembered = new WeakMap<object, string>()

/** The words of a person in a user row, machine text left out (docs/spec/reading.md §2); '' for any other row. */
export function userWords(row: Row): string {
  if (roleOf(row.message) !== 'user') return ''
  const known = remembered.get(row.message)
  if (known !== undefined) return known
  const pieces = textsOf(row.message.content).flatMap(cutUserText)
  const words = pieces.flatMap((piece) =>
    piece.as === 'words' ? [piece.text] : piece.as === 'slash' ? [`/${piece.name} ${piece.args}`.trim()] : [],
  )
  const text = words.join('\n')
  remembered.set(row.message, text)
  return text
}

/** A turn of a real user that asks for something; handoffs must have been unwrapped before (docs/spec/lists.md §5.2). */
export function isActionableUser(row: Row): boolean {
  if (roleOf(row.message) !== 'user') return false
  return userWords(row) !== '' || seenIn(row.message.content).length > 0
}
