import { once } from '../once.ts'
import { pathTokens, tailsOf } from '../text/path-tokens.ts'

const TOKEN = /[\p{L}\p{N}]+(?:[._/:-][\p{L}\p{N}]+)*/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
// Digits, dots, slashes and underscores make a token that nobody paraphrases.
const HARD = /\d|[._/:]/
const MARKUP = /[`*_~"'“”‘’«»]/g
const SPACE = /\s+/g
const MOST_TOKENS = 80
/** Shares of a probe that an answer must hold: of its words, and of its numbers, paths and identifiers. */
interface Enough {
  readonly words: number
  readonly hard: number
  /** Its words may stand all over the answer. */
  readonly isAnywhere?: boolean | undefined
}

const ENOUGH: Enough = { words: 0.6, hard: 0.75 }
const EMPTY_WORDS = new Set(
  (
    'please this that with from into have will also them then than there here when what which about would could should after before just like make sure want need ' +
    'para como pero esta este esto todo todos cuando donde porque desde hasta sobre bitte dass dies eine einen einer noch auch wenn dann oder aber ' +
    'pour avec dans cette mais plus tout tous quand comme faire isso essa esse quando mais muito também'
  ).split(' '),
)

/** What makes a rule of a sentence: said one way or another, but said. Compared as one word. */
const RULING = new Set(
  (
    'must shall never always only ever not no don doesn cannot without avoid stay stays keep keeps untouched forbidden mandatory ' +
    'nie niemals nicht kein keine keinen immer nur muss müssen darf ohne nunca jamás siempre solo sólo debe deben sin evita ' +
    'jamais pas toujours seulement doit doivent sans évite mai non sempre deve devono senza não só somente sem evite ' +
    'никогда не нельзя всегда только должен должна без asla değil mutlaka sadece لا أبدا دائما فقط يجب कभी नहीं मत हमेशा केवल'
  ).split(' '),
)
const RULE_WORD = '§'

/** What an answer says, each part prepared once, when first asked for: facts that stand there literally need no other. */
export interface AnswerIndex {
  readonly flat: string
  /** Words of every line, and of all. */
  readonly lines: readonly ReadonlySet<string>[]
  readonly words: ReadonlySet<string>
  /** Path-like tokens, and every tail of them (`b/c.ts`, `c.ts` of `a/b/c.ts`). */
  readonly paths: ReadonlySet<string>
  readonly pathTails: ReadonlySet<string>
}

export function indexAnswer(answer: string): AnswerIndex {
  const lines = once(() => wordsByLine(answer))
  const words = once(() => new Set(lines().flatMap((line) => [...line])))
  const paths = once(() => new Set(pathTokens(answer)))
  const pathTails = once(() => new Set([...paths()].flatMap(tailsOf)))
  return {
    flat: flatten(answer),
    get lines() {
      return lines()
    },
    get words() {
      return words()
    },
    get paths() {
      return paths()
    },
    get pathTails() {
      return pathTails()
    },
  }
}

/** A passage of this many lines says one thing: a line and its neighbors; a request of many words may be told all over the answer. */
const PASSAGE_LINES = 3
const LONG_PROBE = 40
const SHORT_RULE = 12
/** Signs of one run in a script without spaces. */
const LONGEST_RUN = 2000

function wordsByLine(answer: string): ReadonlySet<string>[] {
  return answer
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(
      (line) =>
        new Set(
          Array.from(flatten(line).matchAll(TOKEN), ([token]) =>
            UNSPACED.test(token) ? pairs(token, LONGEST_RUN) : stem(token),
          ).flat(),
        ),
    )
}

/** Whether a word stands in the passage that begins at a line: what is said is said in one place. */
function standsAt(lines: AnswerIndex['lines'], from: number, word: string): boolean {
  for (let at = from; at < from + PASSAGE_LINES; at += 1) if (lines[at]?.has(word) === true) return true
  return false
}

/**
 * True when the answer holds the probe: literally (markup, case and white space aside) or most of its significant words
 * and of its numbers, paths and identifiers. One lost number in a short request is a lost request.
 */
export function mentions(
  index: AnswerIndex,
  probe: string,
  { words: enoughWords, hard: enoughHard, isAnywhere }: Enough = ENOUGH,
): boolean {
  const flat = flatten(probe)
  if (flat === '' || index.flat.includes(flat)) return true
  const tokens = significant(flat)
  const hard = tokens.filter((token) => HARD.test(token))
  const words = tokens.filter((token) => !HARD.test(token))
  if (tokens.length === 0) return false
  if (share(hard, (token) => index.flat.includes(token)) < enoughHard) return false
  const stems = words.map((word) => ({ word, stem: stem(word) }))
  // A short rule is said only where something rules: to have moved the table is not the rule against it.
  const rules = words.includes(RULE_WORD) && words.length <= SHORT_RULE
  const isSaid = (has: (word: string) => boolean) =>
    (!rules || has(RULE_WORD)) && share(stems, (each) => has(each.stem)) >= enoughWords
  return isAnywhere === true || words.length > LONG_PROBE
    ? isSaid((word) => index.words.has(word))
    : index.lines.some((_, at) => isSaid((word) => standsAt(index.lines, at, word)))
}

/** True when the answer names the file: by its path or by a tail that no other of `files` ends with. */
export function mentionsFile(index: AnswerIndex, path: string, isUniqueTail: (tail: string) => boolean): boolean {
  const bare = path.replace(/^\.\//, '')
  if (index.flat.includes(flatten(path)) || index.pathTails.has(bare)) return true
  return tailsOf(bare).some((tail) => isUniqueTail(tail) && index.paths.has(tail))
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
    else if (RULING.has(token)) tokens.add(RULE_WORD)
    else if (HARD.test(token) ? token.length >= 2 : token.length >= 4 && !EMPTY_WORDS.has(token)) tokens.add(token)
  }
  return [...tokens]
}

/** Scripts without spaces are compared by pairs of signs. */
function pairs(token: string, most: number = MOST_TOKENS): string[] {
  const signs = [...token].slice(0, most)
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

/** Five letters forgive endings of number, case and tense in most of our languages. */
function stem(word: string): string {
  if (RULING.has(word)) return RULE_WORD
  return word.length > 5 ? word.slice(0, 5) : word
}

function share<T>(tokens: readonly T[], isThere: (token: T) => boolean): number {
  return tokens.length === 0 ? 1 : tokens.filter(isThere).length / tokens.length
}
