import { type WrapperKind, wrapperKind } from '../../text/structure/wrappers.ts'
import { FenceReader } from './fence-reader.ts'
import { BEFORE_SUMMARY, isUnknownWrapper, PARAGRAPHS, WHOLE_ROWS } from './machine-rows.ts'
import type { Piece } from './piece.ts'
import { ranByUser } from './ran-by-user.ts'

interface Wrapper {
  readonly name: string
  readonly attributes: string
  readonly start: number
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly end: number
}

const OPENING = /<([A-Za-z][\w-]{1,60})( [^<>\n]{0,300})?>/g

/**
 * Cuts the text of one user row into the user's words and what programs wrote (docs/spec/reading.md §2). A wrapper is one only
 * when it is closed, alone on its lines and of a name in the table; whatever else a user types about tags is words. Linear.
 */
export function cutUserText(text: string): Piece[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  const whole = wholeRow(trimmed)
  if (whole !== null) return [whole]
  if (PARAGRAPHS.some((opening) => opening.test(trimmed.slice(0, 500)))) return cutParagraph(trimmed)
  if (!trimmed.includes('<')) return [{ as: 'words', text: trimmed }]
  return joined(withWordsTogether(piecesOf(trimmed)))
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

/** Up to the blank line, or over the tag that stands directly behind the opening. */
function cutParagraph(text: string): Piece[] {
  const wrapper = nextWrapper(text, 0, new Map())
  const blank = text.indexOf('\n\n')
  const isHeading = text.startsWith('#')
  const end = wrapper !== null && isHeading ? wrapper.end : isHeading ? text.length : blank < 0 ? text.length : blank
  const rest = text.slice(end).trim()
  return [{ as: 'machine', text: text.slice(0, end).trimEnd() }, ...(rest === '' ? [] : cutUserText(rest))]
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

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  const closings = new Map<string, number>()
  let from = 0
  let unknownOnly = true
  const unknown: Piece[] = []
  for (
    let wrapper = nextWrapper(text, 0, closings);
    wrapper !== null;
    wrapper = nextWrapper(text, wrapper.end, closings)
  ) {
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

/** The next closed tag that stands alone on its lines, from `from` on, which is the start or the end of the wrapper before. `closings` remembers where each name closes next. */
function nextWrapper(text: string, from: number, closings: Map<string, number>): Wrapper | null {
  const fences = new FenceReader(text, from)
  OPENING.lastIndex = from
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening, name = '', attributes = ''] = match
    const bodyStart = match.index + opening.length
    if (match.index !== from && !startsLine(text, match.index)) continue
    const behind = fences.endAround(match.index)
    if (behind !== null) {
      OPENING.lastIndex = behind
      continue
    }
    const bodyEnd = closingOf(text, { name, from: bodyStart }, closings)
    const end = bodyEnd + name.length + 3
    if (bodyEnd < 0 || !endsLine(text, end)) {
      OPENING.lastIndex = bodyStart
      continue
    }
    return { name, attributes, start: match.index, bodyStart, bodyEnd, end }
  }
  return null
}

function closingOf(
  text: string,
  { name, from }: { readonly name: string; readonly from: number },
  closings: Map<string, number>,
): number {
  const known = closings.get(name)
  if (known !== undefined && (known < 0 || known >= from)) return known
  const at = text.indexOf(`</${name}>`, from)
  closings.set(name, at)
  return at
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\r'

function startsLine(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(text[before]) && at - before < 40) before -= 1
  return before < 0 || text[before] === '\n'
}

/** Up to the end of the line, or to a wrapper that follows at once (`</bash-stdout><bash-stderr>`). */
function endsLine(text: string, at: number): boolean {
  let after = at
  while (after < text.length && isBlank(text[after]) && after - at < 40) after += 1
  return after >= text.length || text[after] === '\n' || (text[after] === '<' && after === at)
}

/** A command's name and arguments are one ask; what its tags also say is machine text beside it. */
function joined(pieces: readonly Piece[]): Piece[] {
  const named = pieces.find((piece) => piece.as === 'slash' && piece.name !== '')
  if (named?.as !== 'slash')
    return pieces.map((piece) => (piece.as === 'slash' ? { as: 'words', text: piece.args } : piece))
  const args = pieces.find((piece) => piece.as === 'slash' && piece.name === '')
  const inTags = pieces.filter(
    (piece) => piece.as === 'slash' || (piece.as === 'machine' && piece.text.startsWith('<command-message>')),
  )
  const slash: Piece = {
    as: 'slash',
    text: inTags.map((piece) => piece.text).join('\n'),
    name: named.name,
    args: args?.as === 'slash' ? args.args : '',
  }
  // What stands behind the tags in the same row is the template that the command pasted.
  const others = pieces.filter((piece) => !inTags.includes(piece))
  return [slash, ...others.map((piece): Piece => (piece.as === 'words' ? { as: 'machine', text: piece.text } : piece))]
}
