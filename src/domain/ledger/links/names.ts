import { tailsOf } from '../../text/path-tokens.ts'
import type { LedgerItem, Named } from '../ledger-value.ts'
import { remembering } from '../remembering.ts'
import type { Saying, Timeline, UserTurn } from '../timeline.ts'

const SPAN = /`([^`\n]{3,80})`/g
/** Everything that could be a name without code marks. */
const BARE_WORD = /(?<![\w@.~/-])[A-Za-z.~][\w./~-]{2,79}/g
const MAY_BE_NAME = /[a-z][A-Z]|_|\/|`/
/** Something that has to be typed again as it is, and no word of a language. */
const TYPED = /[a-z][A-Z]|[\w~.-]\/[\w.-]|\w_\w|\w\.\w|\w-\w|^[A-Z][a-z]+[A-Z]|\(\)$/
const COMMAND =
  /^(?:git|npm|npx|pnpm|yarn|bun|deno|cargo|go|make|just|mise|docker|kubectl|helm|terraform|python3?|node|pip|uv|gh|glab|curl|brew|apt|\.\/\S{1,40})(?: \S{1,40}){1,5}$/
const PLAIN = /^[\w@~.$][\w@~.$:/-]{2,79}(?:\(\))?$/
/** More than are shown: those that other lines name already are left out. */
const MOST = 24
const LONGEST_TEXT = 20_000
const BY_USER = 3
const RECENT = 2
const FEW = 8
/** How many are looked for in what people wrote, and in how much of it. */
const ASKED_AFTER = 48
const LONGEST_WORDS = 60_000
const SPOKEN = 1.5

/** What is beside the conversation: names of the generation before, and files that are listed anyway. */
export interface NameSources {
  readonly carried: readonly LedgerItem[]
  readonly modified: readonly { readonly path: string }[]
}

/**
 * Names, files and commands that people and closing messages spoke of, oldest first: what a later turn may mean by "that
 * function" (docs/spec/truth.md §4). Those a person named, that come back, and that are new win.
 */
export function namesOf({ turns, sayings, lastNumber }: Timeline, { carried, modified }: NameSources): Named[] {
  const found = new Map<string, { turn: number; worth: number }>()
  const add = (name: string, turn: number, worth: number): void => {
    const before = found.get(name)?.worth ?? 0
    found.delete(name)
    found.set(name, { turn, worth: Math.min(before, 2 * BY_USER) + worth })
  }
  for (const { text, turn } of carried) add(text, turn, 1)
  const said = [...turns, ...sayings.filter(({ isClosing }) => isClosing)].sort((a, b) => a.at - b.at)
  for (const each of said) {
    const isUser = !('said' in each)
    const names = saidNames(each.memory, () => namesIn(each, isUser))
    // A document names much, and little of it is spoken of again.
    const share = Math.min(1, FEW / names.length)
    for (const name of names) add(name, each.number, share * (isUser ? BY_USER : 1))
  }
  const first = Math.min(lastNumber, turns[0]?.number ?? 0)
  const span = Math.max(1, lastNumber - first)
  const isModified = toldWith(modified)
  const all = [...found]
    .filter(([name]) => !isModified(name))
    .map(
      ([text, { turn, worth }]): Named => ({
        text,
        turn,
        worth: worth + (RECENT * Math.max(0, turn - first)) / span,
      }),
    )
  const best = [...all].sort((a, b) => b.worth - a.worth).slice(0, ASKED_AFTER)
  const spoken = best.map(spokenBy(turns)).sort((a, b) => b.worth - a.worth)
  const kept = new Map(spoken.slice(0, MOST).map((name) => [name.text, name]))
  return all.flatMap(({ text }) => kept.get(text) ?? [])
}

/** Whether a name is one of these files, or the end of its path, or has it as its end. */
function toldWith(modified: NameSources['modified']): (name: string) => boolean {
  const paths = new Set(modified.map(({ path }) => path))
  const tails = new Set(modified.flatMap(({ path }) => tailsOf(path)))
  return (name) => tails.has(name) || tailsOf(name).some((tail) => paths.has(tail))
}

/** Adds to the worth of names that a person wrote out without marks, commands most of all. */
function spokenBy(turns: Timeline['turns']): (name: Named) => Named {
  const words = turns
    .map(({ text }) => text.slice(0, LONGEST_TEXT))
    .join('\n')
    .slice(-LONGEST_WORDS)
  return (name) => (words.includes(name.text.replace(/\(\)$/, '')) ? { ...name, worth: name.worth + SPOKEN } : name)
}

const saidNames = remembering<readonly string[]>()

function namesIn({ text }: Pick<UserTurn | Saying, 'text'>, isUser: boolean): string[] {
  const bounded = text.slice(0, LONGEST_TEXT)
  if (!MAY_BE_NAME.test(bounded)) return []
  const spans = Array.from(bounded.matchAll(SPAN), ([, name = '']) => name.trim()).filter(isTyped)
  const bare = isUser ? bareNames(bounded) : []
  return [...new Set([...spans, ...bare])]
}

const isTyped = (name: string): boolean =>
  !name.includes('...') && ((PLAIN.test(name) && TYPED.test(name)) || COMMAND.test(name))

/** `camelCase`, `snake_case` and files that somebody wrote without code marks. */
function bareNames(text: string): string[] {
  const words = Array.from(text.replace(SPAN, ' ').matchAll(BARE_WORD), ([word]) => word.replace(/[.-]{1,3}$/, ''))
  return words.filter((word) => {
    if (word.includes('/')) return /\.[a-z]{1,5}$/.test(word) && !word.includes('...')
    return /^\w+$/.test(word) && (/^[a-z].{0,78}[a-z][A-Z]/.test(word) || /[A-Za-z]_[A-Za-z0-9]/.test(word))
  })
}
