import { isDone } from '../files.ts'
import type { Change, LedgerItem, Named } from '../ledger-value.ts'
import { remembering } from '../remembering.ts'
import type { Act, Saying, Timeline, UserTurn } from '../timeline.ts'
import { type Counted, withOneNumber } from './one-number.ts'

const URL = /\bhttps?:\/\/[^\s"'`<>()[\]{}\\|]{4,300}/g
/**
 * Issue keys, numbered requests, versions, ports, commits, jobs: what somebody has to type again. Letters of all scripts around it are
 * looked for afterwards: at every place of a text they would cost three times the time.
 */
const NAMES =
  /(?<![\w./#-])(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|#\d{1,6}|(?:PR|MR|issue|ticket|pull request|job|run|build|port|Port) ?#?\d{1,12}|v\d{1,4}(?:\.\d{1,6}){1,3}(?:-[\w.]{1,20})?|localhost:\d{2,5}|[0-9a-f]{7,40}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,27})(?![\w-]|\.\d)/g
/** Scripts that write no blank between a name and what follows it. */
const UNSPACED = '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])'
const ENDS_IN_WORD = new RegExp(`${UNSPACED}[\\p{L}\\p{N}]$`, 'u')
const BEGINS_IN_WORD = new RegExp(`^${UNSPACED}[\\p{L}\\p{N}]`, 'u')
const DIGIT = /\d/g
const HASH = /^[0-9a-f]{7,40}$/
/** Hosts that documentation uses; places that mean nothing tomorrow. */
const EXAMPLE = /^https?:\/\/(?:www\.)?(?:[\w.-]*example\.(?:com|org|net)|schemas?\.|json-schema\.org|www\.w3\.org)/
/** Coding standards and character sets that look like issue keys. */
const NO_KEY = /^(?:UTF|ISO|SHA|MD|RFC|AES|RSA|TLS|SSL|HTTP|IPV|GPT|CVE|ES|CP|US|EN|H|P|T)-\d/
/** "#2" is an entry of a list, unless somebody says what it is. */
const SHORT_NUMBER = /^#\d$/
const NUMBER_OF_ISSUE =
  /(?:\b(?:PRs?|MRs?|issues?|pulls?|pull requests?|tickets?|merged?|close[sd]?|fix(?:es|ed)?|refs?|bugs?)|이슈|머지|合并|合併|マージ)\s{0,3}#\d(?!\d)/i
/** Where a push went, and where a pull request could be opened: nobody needs them again. */
const REMOTE = /\.git$|\/pull\/new\/|\/merge_requests\/new\b/
const OPENED_BY = ['url', 'uri', 'path', 'href', 'link'] as const
/** `#990099` is a color; no tracker writes a leading zero. */
const COLOR = /^#(?:\d{6}|0\d{0,5})$/
const LONGEST_TEXT = 40_000
const MOST = 24

/** What a link is worth by who brought it; its newness and how often it came back add to it. */
const WORTH = { user: 3, produced: 3, closing: 2, carried: 2.5, opened: 1, said: 0.5 } as const
const ADDRESS = 0.5
const AGAIN = 0.25
const MOST_AGAIN = 4
const RECENT = 2

/**
 * Links and names that later turns may need, verbatim, oldest first (docs/spec/truth.md §4): what a person gave, what a
 * successful command brought forth and what a report closes with win over what was only passed by.
 */
export function linksOf(timeline: Timeline, changes: readonly Change[], carried: readonly LedgerItem[]): Named[] {
  const found = new Map<string, Counted>()
  const add = (text: string, turn: number, by: keyof typeof WORTH): void => {
    const before = found.get(text)
    found.delete(text)
    found.set(text, {
      text,
      turn,
      times: (before?.times ?? 0) + 1,
      worth: Math.max(before?.worth ?? 0, WORTH[by]),
    })
  }
  for (const { text, turn } of carried) add(text, turn, 'carried')
  const said = [...timeline.turns, ...timeline.sayings].sort((a, b) => a.at - b.at)
  for (const act of timeline.acts) for (const url of openedBy(act)) add(url, act.number, 'opened')
  for (const each of said) {
    const by = !('said' in each) ? 'user' : each.isClosing ? 'closing' : 'said'
    for (const link of linksSaid(each)) add(link, each.number, by)
  }
  // What a push or a release printed is what came of it; what an installation printed is not.
  for (const { result, turn, isOnce } of changes)
    for (const link of linksIn(result)) add(link, turn, isOnce || !link.startsWith('http') ? 'produced' : 'said')
  return best(withOneNumber([...found.values()]))
}

function best(links: readonly Counted[]): Named[] {
  const all = links.map(({ text, turn, times, worth }, at): Named => {
    const address = text.startsWith('http') ? ADDRESS : 0
    return { text, turn, worth: worth + address + AGAIN * Math.min(times, MOST_AGAIN) + (RECENT * at) / links.length }
  })
  const kept = new Set([...all].sort((one, other) => other.worth - one.worth).slice(0, MOST))
  return all.filter((link) => kept.has(link))
}

const NONE: readonly string[] = []

/** The address that a tool opened with success. */
function openedBy(act: Act): readonly string[] {
  if (act.call.tool === 'run' || !isDone(act)) return NONE
  const args = act.call.arguments
  const name = OPENED_BY.find((each) => typeof args[each] === 'string')
  const value = name === undefined ? undefined : args[name]
  return typeof value === 'string' && /^https?:/.test(value) ? urlsIn(value) : NONE
}

const saidLinks = remembering<readonly string[]>()

/** `linksIn` what somebody said. */
export const linksSaid = ({ memory, text }: Pick<UserTurn | Saying, 'memory' | 'text'>): readonly string[] =>
  saidLinks(memory, () => linksIn(text))

/** Links, ids and names in a text, in order, each once. */
export function linksIn(text: string): readonly string[] {
  const bounded = text.slice(0, LONGEST_TEXT)
  const urls = urlsIn(bounded)
  const names = namesIn(bounded.includes('://') ? bounded.replace(URL, ' ') : bounded)
  if (names.length === 0) return urls
  const isShort = names.some((name) => SHORT_NUMBER.test(name)) && !NUMBER_OF_ISSUE.test(bounded)
  return [...new Set([...urls, ...(isShort ? names.filter((name) => !SHORT_NUMBER.test(name)) : names)])]
}

function namesIn(text: string): string[] {
  const names: string[] = []
  const digits = withDigits(text)
  if (digits === '') return names
  for (const match of digits.matchAll(NAMES)) {
    const name = match[0].trim()
    if (standsAlone(match) && isName(name)) names.push(name)
  }
  return names
}

/** The addresses alone. */
export function urlsIn(text: string): readonly string[] {
  const bounded = text.slice(0, LONGEST_TEXT)
  const found = bounded.includes('://') ? bounded.match(URL) : null
  if (found === null) return NONE
  // bounded: an address of at most 310 characters
  const urls = found.map((url) => url.replace(/[.,;:!?*_'"]+$/, ''))
  return [...new Set(urls.filter((url) => !EXAMPLE.test(url) && !REMOTE.test(url)))]
}

/** The lines that can hold a name: each has a digit, and most lines have none. */
function withDigits(text: string): string {
  let lines = ''
  DIGIT.lastIndex = 0
  // Asked and not fetched: most texts have many lines with digits.
  while (DIGIT.test(text)) {
    const end = text.indexOf('\n', DIGIT.lastIndex)
    const line = text.slice(text.lastIndexOf('\n', DIGIT.lastIndex - 1) + 1, end < 0 ? undefined : end)
    lines += lines === '' ? line : `\n${line}`
    if (end < 0) break
    DIGIT.lastIndex = end
  }
  return lines
}

function standsAlone({ 0: name, index, input }: RegExpExecArray): boolean {
  const end = index + name.length
  return (
    !ENDS_IN_WORD.test(input.slice(Math.max(0, index - 2), index)) && !BEGINS_IN_WORD.test(input.slice(end, end + 2))
  )
}

function isName(name: string): boolean {
  if (HASH.test(name)) return /\d/.test(name) && /[a-f]/.test(name)
  if (COLOR.test(name)) return false
  return !NO_KEY.test(name)
}
