import { cutAtWord } from '../text/quote.ts'
import { utf8Length } from '../tokens/utf8.ts'

const ITEM = /^\s{0,40}(?:[-*•+–]|\d{1,3}[.)])\s+\S/
/** A text with fewer points is shortened to its beginning. */
const LEAST_POINTS = 3
const MOST_POINTS = 60
/** Shorter, the beginning of a point says nothing. */
const LEAST_BYTES = 32
const HEAD_SHARE = 4
const MARK = ' …'

/**
 * A text with a list in it, within the given bytes: its first words and the beginning of every point, each cut at a word; null
 * where there is no list, or too little room for its points. All points are asked for, not only those that come first.
 */
export function shortenPoints(text: string, bytes: number): string | null {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, at) => (ITEM.test(line) ? [at] : []))
  if (starts.length < LEAST_POINTS || starts.length > MOST_POINTS) return null
  const head = lines.slice(0, starts[0]).join('\n').trimEnd()
  const shortHead = head === '' ? '' : piece(head, Math.floor(bytes / HEAD_SHARE))
  const room = bytes - utf8Length(shortHead) - starts.length
  const each = Math.floor(room / starts.length)
  if (each < LEAST_BYTES) return null
  const points = starts.map((start, i) => lines.slice(start, starts[i + 1]))
  let left = room
  const short = points.map((point, i) => {
    const whole = point
      .map((line, at) => (at === 0 ? line.trimEnd() : line.trim()))
      .join(' ')
      .trimEnd()
    // What short points leave over goes to the longer ones after them.
    const told = piece(whole, Math.floor(left / (points.length - i)))
    left -= utf8Length(told)
    return told
  })
  return [shortHead, ...short].filter((line) => line !== '').join('\n')
}

function piece(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text
  let most = bytes - utf8Length(MARK)
  for (let pass = 0; pass < 20 && most > 0; pass += 1) {
    const cut = `${cutAtWord(text, most).trimEnd()}${MARK}`
    const over = utf8Length(cut) - bytes
    if (over <= 0) return cut
    most = Math.floor((most * bytes) / (bytes + over)) - 1
  }
  return ''
}
