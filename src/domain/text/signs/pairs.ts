import { SECRET_NAMES } from '../redact/secret-names.ts'
import { VENDOR_STARTS } from '../redact/vendor-keys.ts'
import { FRAME_NAMES } from '../structure/frames.ts'

const DIRTY = 1
const TAG = 2
const MARK = 4
const PRIVATE_KEY = 8
const VENDOR = 16
const NAMED = 32
const BEARER = 64
const USERINFO = 128
const FLAG = 256
/** One half of a pair at least. */
const SURROGATE = 512

/** One bit for every step that may have to do something, and the groups that callers ask for. */
export const SIGNS = {
  /** Control characters, lone surrogates, marks of writing direction. */
  dirty: DIRTY,
  tag: TAG,
  /** Labels, marks of chat templates, directives for media. */
  mark: MARK,
  privateKey: PRIVATE_KEY,
  vendor: VENDOR,
  named: NAMED,
  bearer: BEARER,
  userinfo: USERINFO,
  flag: FLAG,
  surrogate: SURROGATE,
  /** Need no closer look. */
  certain: MARK | PRIVATE_KEY,
  /** What `neutralizeData` changes. */
  data: TAG | MARK,
  /** What `redact` masks. */
  secret: PRIVATE_KEY | VENDOR | NAMED | BEARER | USERINFO | FLAG,
} as const

/** Neighbours by `(first << 8) ^ second`. Two wide characters may fall on an entry of others: what is not certain is confirmed. */
export const PAIRS = new Uint16Array(0x10000)
/** 1 where an entry has a sign, or its second character is one; characters beyond Latin-1 are not told. */
export const MAYBE = new Uint8Array(0x10000)

/** Signs that are one character. */
export const CHARACTERS = new Uint16Array(0x10000)
for (const [from, to] of [
  [0, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
] as const)
  CHARACTERS.fill(DIRTY, from, to + 1)
CHARACTERS.fill(SURROGATE, 0xd800, 0xe000)
CHARACTERS['◁'.charCodeAt(0)] = MARK
for (let pair = 0; pair < 0x10000; pair += 1) if (CHARACTERS[pair & 0xff] !== 0) MAYBE[pair] = 1

const inBothCases = (chars: readonly string[]): string[] =>
  chars.flatMap((each) => [each.toLowerCase(), each.toUpperCase()])

function add(sign: number, firsts: readonly string[], seconds: readonly string[]): void {
  for (const first of firsts)
    for (const second of seconds) {
      const at = ((first.charCodeAt(0) << 8) ^ second.charCodeAt(0)) & 0xffff
      PAIRS[at] = (PAIRS[at] ?? 0) | sign
      MAYBE[at] = 1
    }
}

add(TAG, ['<'], ['/', ...inBothCases(FRAME_NAMES.map((name) => name.charAt(0)))])
for (const [first, second] of ['|>', '｜>', 'S>', ']:', ']：', 'A:'].map((pair) => [...pair] as const))
  add(MARK, [first ?? ''], [second ?? ''])
// `[Tool calls:`, `[/INST]`, `[SYSTEM_PROMPT]`, `[AVAILABLE_TOOLS]`, `[IMG]`
add(MARK, ['['], [...'/ISATt'])
add(PRIVATE_KEY, ['-'], ['B'])
for (const start of VENDOR_STARTS) add(VENDOR, [start.charAt(start.length - 2)], [start.charAt(start.length - 1)])
add(NAMED, [...inBothCases(SECRET_NAMES.map((name) => name.charAt(name.length - 1))), ...'\\"\'`] \t:'], [':', '='])
add(BEARER, ['b', 'B'], ['e', 'E'])
add(USERINFO, [':'], ['/'])
add(FLAG, ['-'], ['-', 'u', 'U'])
