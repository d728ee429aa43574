/** Where a code point may weigh more than a quarter of a token; strings without one are told at a glance. */
const HEAVY = /[\u0590-\u1fff\u2e80-\u9fff\uac00-\ud7af\ud800-\udbff\uf900-\ufaff\uff00-\uffef]/

const SCRIPTS_START = 0x0590
const SCRIPTS_END = 0x1fff
const LIGHT = /[\p{P}\p{S}\p{Z}]/u

/** 2 for what is a letter, a mark or a digit between U+0590 and U+1FFF, 1 for its punctuation and symbols. */
const SCRIPTS = Uint8Array.from({ length: SCRIPTS_END - SCRIPTS_START + 1 }, (_, at) =>
  LIGHT.test(String.fromCharCode(SCRIPTS_START + at)) ? 1 : 2,
)

/** Quarter tokens of one UTF-16 unit that is not a surrogate (docs/spec/reading.md §6). */
function unitQuarters(unit: number): number {
  if (unit < SCRIPTS_START) return 1
  if (unit <= SCRIPTS_END) return SCRIPTS[unit - SCRIPTS_START] ?? 1
  const isEastAsian =
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  return isEastAsian ? 4 : 1
}

/** A code point beyond the first plane: the rarer Chinese characters weigh a token, emoji and the rest a quarter. */
const pairQuarters = (high: number): number => (high >= 0xd840 && high <= 0xd8bf ? 4 : 1)

/** True for the first half of a surrogate pair that is whole. */
const isPairAt = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00

/**
 * Quarter tokens of a text (docs/spec/reading.md §6): a code point weighs one, a Chinese, Japanese or Korean one four, a
 * letter of the scripts between Hebrew and Greek Extended two. A lone surrogate weighs one.
 */
export function textQuarters(text: string): number {
  if (!HEAVY.test(text)) return text.length
  let quarters = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if ((unit & 0xfc00) === 0xd800 && isPairAt(text, at)) {
      quarters += pairQuarters(unit)
      at += 1
    } else quarters += unitQuarters(unit)
  }
  return quarters
}

/**
 * Quarter tokens of the value as JSON with ", " and ": " between its parts (docs/spec/lists.md §1.1). Walks with its own stack:
 * nesting that would overflow the engine's must still be measured.
 */
export function wireQuarters(value: unknown): number {
  const stack: unknown[] = [value]
  let total = 0
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next === 'string') total += quotedQuarters(next)
    else if (Array.isArray(next)) {
      total += 2 + 2 * Math.max(0, next.length - 1)
      for (const item of next) stack.push(item)
    } else if (typeof next === 'object' && next !== null) {
      let keys = 0
      for (const [key, item] of Object.entries(next)) {
        if (item === undefined) continue
        keys += 1
        total += quotedQuarters(key) + 2
        stack.push(item)
      }
      total += 2 + 2 * Math.max(0, keys - 1)
    } else total += String(next ?? null).length
  }
  return total
}

/** A string without quotes, backslashes, control characters and anything that weighs more than its length. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\u058f\u2000-\u2e7f]*$/

/** Quarter tokens of the string as JSON writes it, quotes included; a lone surrogate is written as an escape of six. */
function quotedQuarters(text: string): number {
  if (PLAIN.test(text)) return text.length + 2
  let quarters = 2
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit === 0x5c) quarters += 2
    else if (unit < 0x20) quarters += (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 2 : 6
    else if ((unit & 0xf800) !== 0xd800) quarters += unitQuarters(unit)
    else if (isPairAt(text, at)) {
      quarters += pairQuarters(unit)
      at += 1
    } else quarters += 6
  }
  return quarters
}
