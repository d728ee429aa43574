import { once } from '../../once.ts'
import { type WrapperKind, wrapperKind } from '../../text/structure/wrappers.ts'
import { BEFORE_SUMMARY, isUnknownWrapper, PARAGRAPHS, WHOLE_ROWS } from './machine-rows.ts'
import type { Piece } from './piece.ts'
import { ranByUser } from './ran-by-user.ts'
import { type Wrapper, WrapperReader } from './wrapper-reader.ts'

/**
 * Cuts the text of one user row into the user's words and what programs wrote (docs/spec/reading.md §2). A wrapper is one only
 * when it is closed, alone on its lines and of a name in the table; whatever else a user types about tags is words. Linear.
 */
export function cutUserText(text: string): Piece[] {
  const trimmed = text.trim()
  const wrappers = once(() => new WrapperReader(trimmed))
  const paragraphs: Piece[] = []
  let from = 0
  while (from < trimmed.length) {
    const rest = trimmed.slice(from)
    const whole = wholeRow(rest)
    if (whole !== null) return [...paragraphs, whole]
    if (!PARAGRAPHS.some((opening) => opening.test(rest.slice(0, 500))))
      return [...paragraphs, ...joined(withWordsTogether(piecesOf(trimmed, from, wrappers)))]
    const end = rest.startsWith('#') ? (wrappers().next(from)?.end ?? trimmed.length) : endOfParagraph(trimmed, from)
    paragraphs.push({ as: 'machine', text: trimmed.slice(from, end).trimEnd() })
    from = trimmed.length - trimmed.slice(end).trimStart().length
  }
  return paragraphs
}

function endOfParagraph(text: string, from: number): number {
  const blank = text.indexOf('\n\n', from)
  return blank < 0 ? text.length : blank
}

function wholeRow(text: string): Piece | null {
  const command = ranByUser(text)
  if (command !== null) return { as: 'ran', text, command }
  const opening = WHOLE_ROWS.find(
    ([, pattern]) => pattern.test(text.slice(0, 1000)) && (!pattern.source.endsWith('$') || text.length < 1000),
  )
  if (opening === undefined) return null
  return opening[0] === 'summary' ? { as: 'summary', text, body: summaryBody(text) } : { as: 'machine', text }
}

function summaryBody(text: string): string {
  const open = text.indexOf('<summary>')
  const close = open < 0 ? -1 : text.indexOf('</summary>', open)
  return (close < 0 ? text : text.slice(open + '<summary>'.length, close)).trim()
}

/** A tag of the user's own in the middle parts nothing of what the user says. */
function withWordsTogether(pieces: readonly Piece[]): Piece[] {
  const together: Piece[] = []
  for (const piece of pieces) {
    const last = together.at(-1)
    if (piece.as === 'words' && last?.as === 'words')
      together[together.length - 1] = { as: 'words', text: `${last.text}\n${piece.text}` }
    else together.push(piece)
  }
  return together
}

function piecesOf(text: string, start: number, wrappers: () => WrapperReader): Piece[] {
  if (!text.includes('<', start)) return [{ as: 'words', text: text.slice(start) }]
  const pieces: Piece[] = []
  let from = start
  let unknownOnly = true
  const unknown: Piece[] = []
  for (let wrapper = wrappers().next(from); wrapper !== null; wrapper = wrappers().next(from)) {
    const kind = wrapperKind(wrapper.name, wrapper.attributes)
    const before = text.slice(from, wrapper.start).trim()
    if (kind === null) {
      // Somebody's own tag: words, unless such tags are all that is left of the row.
      if (before !== '' || !isUnknownWrapper(wrapper.name)) unknownOnly = false
      const piece: Piece = { as: 'words', text: text.slice(from, wrapper.end).trim() }
      unknown.push(piece)
      pieces.push(piece)
    } else {
      if (before !== '') pieces.push(wordsBefore(before, kind))
      pieces.push(pieceOf(text, wrapper, kind))
    }
    from = wrapper.end
  }
  const rest = text.slice(from).trim()
  if (rest !== '') pieces.push({ as: 'words', text: rest })
  const words = pieces.filter((piece) => piece.as === 'words')
  if (unknownOnly && unknown.length > 0 && words.length === unknown.length)
    return pieces.map((piece) => (piece.as === 'words' ? { as: 'machine', text: piece.text } : piece))
  return pieces
}

/** The sentence that an agent puts before a summary is not the user's. */
const wordsBefore = (text: string, kind: WrapperKind): Piece =>
  kind === 'summary' && BEFORE_SUMMARY.test(text) ? { as: 'machine', text } : { as: 'words', text }

function pieceOf(text: string, { start, end, bodyStart, bodyEnd }: Wrapper, kind: WrapperKind): Piece {
  const whole = text.slice(start, end)
  const body = text.slice(bodyStart, bodyEnd).trim()
  switch (kind) {
    case 'machine':
      return { as: 'machine', text: whole }
    case 'summary':
      return { as: 'summary', text: whole, body }
    case 'ran':
      return { as: 'ran', text: whole, command: body }
    case 'output':
      return { as: 'output', text: whole, output: body }
    case 'command-name':
      return { as: 'slash', text: whole, name: body.replace(/^\//, ''), args: '' }
    case 'command-args':
      return { as: 'slash', text: whole, name: '', args: body }
    case 'words':
      return { as: 'words', text: body }
    default:
      return kind satisfies never
  }
}

/** A command's name and arguments are one ask; what its tags also say is machine text beside it. */
function joined(pieces: readonly Piece[]): Piece[] {
  const named = pieces.find((piece) => piece.as === 'slash' && piece.name !== '')
  if (named?.as !== 'slash')
    return pieces.map((piece) => (piece.as === 'slash' ? { as: 'words', text: piece.args } : piece))
  const args = pieces.find((piece) => piece.as === 'slash' && piece.name === '')
  const isInTags = ({ as, text }: Piece): boolean =>
    as === 'slash' || (as === 'machine' && text.startsWith('<command-message>'))
  const slash: Piece = {
    as: 'slash',
    text: pieces
      .filter(isInTags)
      .map((piece) => piece.text)
      .join('\n'),
    name: named.name,
    args: args?.as === 'slash' ? args.args : '',
  }
  // What stands after the tags in the same row is the template that the command pasted.
  const others = pieces.filter((piece) => !isInTags(piece))
  return [slash, ...others.map((piece): Piece => (piece.as === 'words' ? { as: 'machine', text: piece.text } : piece))]
}
