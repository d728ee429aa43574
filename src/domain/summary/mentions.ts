import { pathTokens } from '../text/path-tokens.ts'

const TOKEN = /[\p{L}\p{N}]+(?:[._/:-][\p{L}\p{N}]+)*/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
// Digits, dots, slashes and underscores make a token that nobody paraphrases.
const HARD = /\d|[._/:]/
const MARKUP = /[`*_~"'“”‘’«»]/g
const SPACE = /\s+/g
const MOST_TOKENS = 80
/** Shares of a probe that an answer must hold: of its words, and of its numbers, paths and identifiers. */
const ENOUGH = { words: 0.6, hard: 0.75 } as const
const EMPTY_WORDS = new Set(
  (
    'please this that with from into have will also them then than there here when what which about would could should after before just like make sure want need ' +
    'para como pero esta este esto todo todos cuando donde porque desde hasta sobre bitte dass dies eine einen einer noch auch wenn dann oder aber ' +
    'pour avec dans cette mais plus tout tous quand comme faire isso essa esse quando mais muito também'
  ).split(' '),
)

/** What an answer says, prepared once for many look-ups. */
export interface AnswerIndex {
  readonly flat: string
  readonly stems: ReadonlySet<string>
  /** Path-like tokens, and every tail of them (`b/c.ts`, `c.ts` of `a/b/c.ts`). */
  readonly paths: ReadonlySet<string>
  readonly pathTails: ReadonlySet<string>
}

export function indexAnswer(answer: string): AnswerIndex {
  const flat = flatten(answer)
  const paths = new Set(pathTokens(answer))
  return {
    flat,
    stems: new Set(Array.from(flat.matchAll(TOKEN), (match) => stem(match[0]))),
    paths,
    pathTails: new Set([...paths].flatMap(tailsOf)),
  }
}

/**
 * True when the answer holds the probe: literally (markup, case and white space aside) or most of its significant words
 * and of its numbers, paths and identifiers. One lost number in a short request is a lost request.
 */
export function mentions(
  index: AnswerIndex,
  probe: string,
  enough: { readonly words: number; readonly hard: number } = ENOUGH,
): boolean {
  const flat = flatten(probe)
  if (flat === '' || index.flat.includes(flat)) return true
  const tokens = significant(flat)
  const hard = tokens.filter((token) => HARD.test(token))
  const words = tokens.filter((token) => !HARD.test(token))
  if (tokens.length === 0) return false
  return (
    share(hard, (token) => index.flat.includes(token)) >= enough.hard &&
    share(words, (word) => hasWord(index, word)) >= enough.words
  )
}

/** True when the answer names the file: by its path or by a tail that no other of `files` ends with. */
export function mentionsFile(index: AnswerIndex, path: string, isUniqueTail: (tail: string) => boolean): boolean {
  const bare = path.replace(/^\.\//, '')
  if (index.pathTails.has(bare) || index.flat.includes(flatten(path))) return true
  return tailsOf(bare).some((tail) => isUniqueTail(tail) && index.paths.has(tail))
}

/** Every tail of a path that begins at a separator, the path itself included. */
export function tailsOf(path: string): string[] {
  const tails = [path]
  for (let at = path.search(/[/\\]/), from = 0; at >= 0; at = path.slice(from).search(/[/\\]/)) {
    from += at + 1
    if (from < path.length) tails.push(path.slice(from))
    if (tails.length > 32) break
  }
  return tails
}

function flatten(text: string): string {
  return text.toLowerCase().replace(MARKUP, '').replace(SPACE, ' ').trim()
}

function significant(flat: string): string[] {
  const tokens = new Set<string>()
  for (const match of flat.matchAll(TOKEN)) {
    if (tokens.size >= MOST_TOKENS) break
    const token = match[0]
    if (UNSPACED.test(token)) for (const pair of pairs(token)) tokens.add(pair)
    else if (HARD.test(token) ? token.length >= 2 : token.length >= 4 && !EMPTY_WORDS.has(token)) tokens.add(token)
  }
  return [...tokens]
}

/** Scripts without spaces are compared by pairs of signs. */
function pairs(token: string): string[] {
  const signs = [...token].slice(0, MOST_TOKENS)
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

function hasWord(index: AnswerIndex, word: string): boolean {
  return index.stems.has(stem(word)) || (UNSPACED.test(word) && index.flat.includes(word))
}

/** Five letters forgive endings of number, case and tense in most of our languages. */
function stem(word: string): string {
  return word.length > 5 ? word.slice(0, 5) : word
}

function share(tokens: readonly string[], isThere: (token: string) => boolean): number {
  return tokens.length === 0 ? 1 : tokens.filter(isThere).length / tokens.length
}
