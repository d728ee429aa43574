import { LANGUAGES } from './cues/languages.ts'

const TRIVIAL = new Set(LANGUAGES.flatMap((cues) => cues.trivial))
const LONGEST = 60
const NOT_WORDS = /[^\p{L}\p{M}\p{N}\s']+/gu
/** A command of the agent with at most two words after it; more than that is somebody asking for something. */
const SLASH = /^\/[a-z][\w:-]{0,40}(?:\s+\S+){0,2}$/i

/** Whether a whole turn asks for nothing by itself: "ok", "sigue", "yes, go on", an emoji, a slash command. */
export function isTrivialTurn(text: string): boolean {
  const turn = text.trim()
  if (SLASH.test(turn)) return true
  if (turn.length > LONGEST) return false
  const words = turn
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(NOT_WORDS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' || isNod(words)
}

/** One nod, or two or three in a row ("ok thanks go on"). */
function isNod(words: string): boolean {
  let rest = words
  for (let nods = 0; nods < 3; nods += 1) {
    if (TRIVIAL.has(rest)) return true
    const first = longestNod(rest)
    if (first === '') return false
    rest = rest.slice(first.length + 1)
  }
  return false
}

function longestNod(words: string): string {
  for (let end = words.lastIndexOf(' '); end > 0; end = words.lastIndexOf(' ', end - 1)) {
    const start = words.slice(0, end)
    if (TRIVIAL.has(start)) return start
  }
  return ''
}
