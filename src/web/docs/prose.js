import { element } from '../element.js'

const MARKS = /(`[^`]+`|\*\*[^*]+\*\*|https?:\/\/[^\s)]+)/

/** @param {string} piece */
function pieceOf(piece) {
  if (piece.startsWith('`') && piece.length > 2) return element('code', {}, piece.slice(1, -1))
  if (piece.startsWith('**') && piece.length > 4) return element('b', {}, piece.slice(2, -2))
  if (/^https?:\/\//.test(piece)) return element('a', { href: piece, rel: 'noreferrer' }, piece)
  return piece
}

/**
 * One line of a description as nodes: `code`, **bold** and links; everything else stays text.
 * @param {string} text
 */
export const inlineProse = (text) =>
  text
    .split(MARKS)
    .filter((piece) => piece !== '')
    .map(pieceOf)

/**
 * A description as paragraphs.
 * @param {string | undefined} text
 */
export function prose(text) {
  if (!text) return []
  return text.split(/\n{2,}/).map((paragraph) => element('p', {}, ...inlineProse(paragraph)))
}
