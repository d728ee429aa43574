import type { Change, Told } from './ledger-value.ts'
import { remembering } from './remembering.ts'
import type { Saying, Timeline, UserTurn } from './timeline.ts'

const URL = /\bhttps?:\/\/[^\s"'`<>()[\]{}\\|]{4,300}/g
/** Issue keys, numbered requests, versions, ports, commits, jobs: what somebody has to type again. */
const NAMES =
  /(?<![\p{L}\p{N}_./#-])(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|#\d{1,6}|(?:PR|MR|issue|ticket|pull request|job|run|build|port|Port) ?#?\d{1,12}|v\d{1,4}(?:\.\d{1,6}){1,3}(?:-[\w.]{1,20})?|localhost:\d{2,5}|[0-9a-f]{7,40}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,27})(?![\p{L}\p{N}_-]|\.\d)/gu
const HASH = /^[0-9a-f]{7,40}$/
/** Hosts that documentation uses; places that mean nothing tomorrow. */
const EXAMPLE = /^https?:\/\/(?:www\.)?(?:[\w.-]*example\.(?:com|org|net)|schemas?\.|json-schema\.org|www\.w3\.org)/
/** Coding standards and character sets that look like issue keys. */
const NO_KEY = /^(?:UTF|ISO|SHA|MD|RFC|AES|RSA|TLS|SSL|HTTP|IPV|GPT|CVE|ES|CP|US|EN|H|P|T)-\d/
const LONGEST_TEXT = 40_000
const MOST = 24

/** Links and names that later turns may need, verbatim, oldest first; newest and most spoken of win (docs/spec/truth.md §4). */
export function linksOf(timeline: Timeline, changes: readonly Change[], carried: readonly Told[]): Told[] {
  const found = new Map<string, { turn: number; times: number }>()
  const add = (link: string, turn: number): void => {
    const times = (found.get(link)?.times ?? 0) + 1
    found.delete(link)
    found.set(link, { turn, times })
  }
  for (const { text, turn } of carried) add(text, turn)
  const said = [...timeline.turns, ...timeline.sayings].sort((a, b) => a.at - b.at)
  for (const each of said) for (const link of linksSaid(each)) add(link, each.number)
  for (const { result, turn } of changes) for (const link of linksIn(result)) add(link, turn)
  const links = [...found].map(([text, { turn, times }]) => ({ text, turn, times }))
  return best(links).map(({ text, turn }) => ({ text, turn }))
}

interface Counted extends Told {
  readonly times: number
}

/** The newest of each kind; an address outlives a bare number. */
function best(links: readonly Counted[]): readonly Counted[] {
  if (links.length <= MOST) return links
  const worth = ({ text, times }: Counted, at: number): number =>
    at + (text.startsWith('http') ? links.length / 2 : 0) + Math.min(times, 4) * (links.length / 8)
  const kept = new Set(
    links
      .map((link, at) => ({ link, worth: worth(link, at) }))
      .sort((a, b) => b.worth - a.worth)
      .slice(0, MOST)
      .map(({ link }) => link),
  )
  return links.filter((link) => kept.has(link))
}

const saidLinks = remembering<readonly string[]>()

/** `linksIn` what somebody said. */
export const linksSaid = ({ source, text }: Pick<UserTurn | Saying, 'source' | 'text'>): readonly string[] =>
  saidLinks(source, () => linksIn(text))

/** Links, ids and names in a text, in order, each once. */
export function linksIn(text: string): string[] {
  const bounded = text.slice(0, LONGEST_TEXT)
  const bare = bounded.includes('://') ? bounded.replace(URL, ' ') : bounded
  const names = Array.from(withDigits(bare).matchAll(NAMES), ([name]) => name.trim())
  return [...new Set([...urlsIn(text), ...names.filter(isName)])]
}

/** The addresses alone. */
export function urlsIn(text: string): string[] {
  const bounded = text.slice(0, LONGEST_TEXT)
  if (!bounded.includes('://')) return []
  // bounded: an address of at most 310 characters
  const urls = Array.from(bounded.matchAll(URL), ([url]) => url.replace(/[.,;:!?*_'"]+$/, ''))
  return [...new Set(urls.filter((url) => !EXAMPLE.test(url)))]
}

/** The lines that can hold a name: each has a digit, and most lines have none. */
function withDigits(text: string): string {
  if (!/\d/.test(text)) return ''
  return text
    .split('\n')
    .filter((line) => /\d/.test(line))
    .join('\n')
}

function isName(name: string): boolean {
  if (HASH.test(name)) return /\d/.test(name) && /[a-f]/.test(name)
  return !NO_KEY.test(name)
}
