const BACKSLASH = 0x5c
const QUOTE = 0x22
const MINUS = 0x2d
const WORDS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' }
const SHORT_ESCAPES = 'bfnrt"\\/'

/**
 * Whether JSON.parse would take the text, told without parsing it: an exception costs a thousand times the look at a short line,
 * and a file may hold a million of them (docs/spec/hostile.md §1). One pass, no recursion.
 */
export function isJson(text: string): boolean {
  /** What is open, the innermost last: true for an object. */
  const open: boolean[] = []
  let at = behindSpace(text, 0)
  for (;;) {
    // A value begins here.
    const char = text[at]
    if (char === '{' || char === '[') {
      const inner = behindSpace(text, at + 1)
      if (text[inner] === (char === '{' ? '}' : ']')) at = inner + 1
      else {
        open.push(char === '{')
        at = char === '{' ? behindKey(text, inner) : inner
        if (at < 0) return false
        continue
      }
    } else at = behindScalar(text, at)
    if (at < 0) return false
    // A value ends here: what it stands in ends, too, or goes on.
    at = behindSpace(text, at)
    while (open.length > 0 && text[at] === (open.at(-1) === true ? '}' : ']')) {
      open.pop()
      at = behindSpace(text, at + 1)
    }
    if (open.length === 0) return at === text.length
    if (text[at] !== ',') return false
    at = behindSpace(text, at + 1)
    if (open.at(-1) === true) at = behindKey(text, at)
    if (at < 0) return false
  }
}

function behindSpace(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; ) {
    at += 1
    code = text.charCodeAt(at)
  }
  return at
}

/** Where the value of a member begins; -1: no key and colon stand there. */
function behindKey(text: string, from: number): number {
  const end = text.charCodeAt(from) === QUOTE ? behindString(text, from) : -1
  if (end < 0) return -1
  const colon = behindSpace(text, end)
  return text[colon] === ':' ? behindSpace(text, colon + 1) : -1
}

function behindScalar(text: string, from: number): number {
  const code = text.charCodeAt(from)
  if (code === QUOTE) return behindString(text, from)
  if (code === MINUS || isDigit(code)) return behindNumber(text, from)
  const word = WORDS[text[from] ?? '']
  return word !== undefined && text.startsWith(word, from) ? from + word.length : -1
}

function behindString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < 0x20) return -1
    if (code !== BACKSLASH) continue
    at += 1
    const kind = text[at] ?? ''
    if (kind === 'u') {
      if (!/^[0-9a-f]{4}$/i.test(text.slice(at + 1, at + 5))) return -1
      at += 4
    } else if (kind === '' || !SHORT_ESCAPES.includes(kind)) return -1
  }
  return -1
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

function behindNumber(text: string, from: number): number {
  let at = text.charCodeAt(from) === MINUS ? from + 1 : from
  const whole = behindDigits(text, at)
  // No number begins with a zero, but for zero itself.
  if (whole === at || (text[at] === '0' && whole > at + 1)) return -1
  at = whole
  if (text[at] === '.') {
    const end = behindDigits(text, at + 1)
    if (end === at + 1) return -1
    at = end
  }
  if (text[at] !== 'e' && text[at] !== 'E') return at
  const first = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
  const end = behindDigits(text, first)
  return end === first ? -1 : end
}

function behindDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at += 1
  return at
}
