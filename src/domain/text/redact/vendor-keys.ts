import { MASK } from './mask.ts'

/** Characters of one stretch of a key; a stretch ends at the first other one. */
const ALNUM = 'A-Za-z0-9'
const WORD = 'A-Za-z0-9_-'

/** A key that tells its vendor by how it begins. One row here is all it takes to mask a new one. */
interface VendorKey {
  readonly starts: readonly string[]
  /** Stretches after the start, parted by points: which characters, and at least how many. */
  readonly stretches: readonly { readonly of: string; readonly least: number }[]
  /** The last stretch has exactly its least length. */
  readonly isExact?: true
  /** What must stand in front of the start, at its end: a pattern of bounded length. */
  readonly behind?: RegExp
  readonly accepts?: (key: string) => boolean
}

const one = (of: string, least: number): VendorKey['stretches'] => [{ of, least }]

export const VENDOR_KEYS: readonly VendorKey[] = [
  { starts: ['sk-'], stretches: one(WORD, 16), accepts: looksLikeKey },
  { starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], stretches: one(ALNUM, 20) },
  { starts: ['github_pat_'], stretches: one('A-Za-z0-9_', 20) },
  { starts: ['glpat-'], stretches: one('A-Za-z0-9_.-', 16) },
  {
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    stretches: one('A-Za-z0-9-', 10),
  },
  { starts: ['AIza'], stretches: one(WORD, 30) },
  { starts: ['AKIA', 'ASIA'], stretches: one('A-Z0-9', 16), isExact: true },
  { starts: ['ya29.'], stretches: one(WORD, 20) },
  { starts: ['npm_'], stretches: one(ALNUM, 30) },
  { starts: ['hf_'], stretches: one(ALNUM, 20) },
  { starts: ['pypi-'], stretches: one(WORD, 30) },
  {
    starts: ['SG.'],
    stretches: [
      { of: WORD, least: 16 },
      { of: WORD, least: 16 },
    ],
  },
  { starts: ['gsk_'], stretches: one(ALNUM, 20) },
  { starts: ['xai-'], stretches: one(ALNUM, 20) },
  { starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], stretches: one(ALNUM, 10) },
  { starts: ['whsec_'], stretches: one('A-Za-z0-9+/=', 16) },
  { starts: ['dop_v1_'], stretches: one('a-f0-9', 40) },
  { starts: ['shpat_', 'shpss_', 'shpca_', 'shppa_'], stretches: one('A-Fa-f0-9', 24) },
  { starts: ['AGE-SECRET-KEY-1'], stretches: one('A-Z0-9', 50) },
  // JWT: two parts, often a third.
  {
    starts: ['eyJ'],
    stretches: [
      { of: WORD, least: 8 },
      { of: WORD, least: 8 },
      { of: WORD, least: 0 },
    ],
  },
  { starts: ['hooks.slack.com/services/'], stretches: one('A-Za-z0-9/_-', 20) },
  // Telegram: the number of the bot in front.
  { starts: [':AA'], stretches: one(WORD, 32), behind: /(?<!\d)\d{8,10}$/ },
]

/** "sk-learn-estimators" is none: a capital or a digit, or a long run of letters. */
function looksLikeKey(key: string): boolean {
  return /[0-9A-Z]/.test(key) || /[a-z]{20}/.test(key)
}

const ROWS = new Map(VENDOR_KEYS.flatMap((key) => key.starts.map((start) => [start, key])))
/** How keys begin. */
export const VENDOR_STARTS: readonly string[] = [...ROWS.keys()]
const MOST_BEHIND = 12

/** A start stands at no place inside a word. */
function bounded(start: string): string {
  return `${/^\w/.test(start) ? '\\b' : ''}${escaped(start)}`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

const FINDER = new RegExp(VENDOR_STARTS.map(bounded).join('|'), 'g')
const STRETCHES = new Map(
  VENDOR_KEYS.flatMap((key) => key.stretches.map(({ of }) => [of, new RegExp(`[${of}]*`, 'y')])),
)

interface Found {
  readonly from: number
  /** After the key, or, where it is none, after the stretch in which no later start of the same row can be one either. */
  readonly end: number
  readonly isKey: boolean
}

/** Masks every key of the table, whole. Linear: no stretch is read twice for one row. */
export function maskVendorKeys(text: string): string {
  const parts: string[] = []
  const settled = new Map<VendorKey, number>()
  let copied = 0
  for (const { 0: start, index } of text.matchAll(FINDER)) {
    const row = ROWS.get(start)
    if (row === undefined || index < copied || index < (settled.get(row) ?? 0)) continue
    const found = keyAt(text, { row, start, index })
    if (!found.isKey) settled.set(row, found.end)
    if (!found.isKey || found.from < copied) continue
    parts.push(text.slice(copied, found.from), MASK)
    copied = found.end
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied)
}

function keyAt(text: string, { row, start, index }: { row: VendorKey; start: string; index: number }): Found {
  const first = endOfStretch(text, index + start.length, row.stretches[0]?.of ?? '')
  const none = { from: index, end: row.isExact === true ? index + 1 : first, isKey: false }
  let end = index + start.length
  for (const [i, { of, least }] of row.stretches.entries()) {
    if (i > 0 && text[end] !== '.') {
      if (least === 0) break
      return none
    }
    const from = i === 0 ? end : end + 1
    end = i === 0 ? first : endOfStretch(text, from, of)
    if (row.isExact === true ? end - from !== least || /[A-Za-z0-9]/.test(text.charAt(end)) : end - from < least)
      return none
  }
  const ahead =
    row.behind === undefined ? '' : row.behind.exec(text.slice(Math.max(0, index - MOST_BEHIND), index))?.[0]
  if (ahead === undefined) return none
  const from = index - ahead.length
  return row.accepts === undefined || row.accepts(text.slice(from, end)) ? { from, end, isKey: true } : none
}

function endOfStretch(text: string, from: number, of: string): number {
  const stretch = STRETCHES.get(of)
  if (stretch === undefined) return from
  stretch.lastIndex = from
  return from + (stretch.exec(text)?.[0].length ?? 0)
}
