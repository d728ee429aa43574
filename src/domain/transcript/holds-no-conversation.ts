import { matchesAt } from '../text/matches-at.ts'
import { mayBeDialogue } from '../text/structure/find-labels.ts'
import { opensConversation } from './find-conversation.ts'

const LIST_START = /\[\s{0,100}(?:\{|$)/y

/**
 * Whether a prompt surely holds no conversation (parse-prompt.ts would say null), told from pieces of whole lines: it need not be put
 * together for that. In doubt false.
 */
export function holdsNoConversation(pieces: readonly string[]): boolean {
  if (pieces.slice(0, -1).some((piece) => !piece.endsWith('\n'))) return false
  if (pieces.some((piece) => opensConversation(piece) || beginsList(piece))) return false
  return !mayBeDialogue(pieces)
}

function beginsList(piece: string): boolean {
  for (const _ of matchesAt(piece, '[', LIST_START)) return true
  return false
}
