/** A script by its letters; of Latin text the language by its commonest words. */
const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['cjk', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['hangul', /\p{Script=Hangul}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['thai', /\p{Script=Thai}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['latin', /\p{Script=Latin}/gu],
]
/** Most texts hold little else, and are then looked through once instead of once for every script. */
const ASCII = /[\0-\x7f]+/g
const ASCII_LETTER = /[A-Za-z]+/g
/** Signs of these scripts say about a word each, three letters of the others do. */
const DENSE: ReadonlySet<string> = new Set(['cjk', 'hangul'])

const COMMON: Readonly<Record<string, string>> = {
  en: 'the and that this with for from are was were not have has you your which will would should be been it is of to in on an as at but can must never always there',
  de: 'der die das und ist nicht mit von den dem ein eine einen auf für wird werden ich sie wir dass auch noch nur bei aus zum zur oder wenn immer muss soll kein keine',
  es: 'el la los las que con para por una del como está este esta pero más hay sin sobre también cuando debe nunca siempre se lo su sus al son fue',
  fr: 'le la les des que qui est une dans pour pas sur avec il elle nous vous ce cette sont été mais plus par aux du au ne se sa ses faut jamais toujours donc',
  pt: 'que não com uma para por mais como dos das foi está isso também sem deve nunca sempre pelo pela mas são ele ela seu sua em ao',
  it: 'il che di non con per una del della sono è anche questo questa più gli nel alla deve mai sempre ma ho ha si lo dei delle',
  nl: 'het een van niet met voor zijn dat wordt ook nog maar als aan naar bij moet nooit altijd deze dit heeft worden',
  tr: 've bir bu için ile değil olarak daha çok ama gibi var yok her şey sonra önce kadar asla hep olan',
}
/** Word → the languages in which it is common. */
const LANGUAGES: ReadonlyMap<string, readonly string[]> = languagesByWord()

function languagesByWord(): Map<string, string[]> {
  const languages = new Map<string, string[]>()
  for (const [name, words] of Object.entries(COMMON))
    for (const word of words.split(' ')) languages.set(word, [...(languages.get(word) ?? []), name])
  return languages
}

// bounded: 8,000 characters of a text (LOOKED_AT)
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]{1,400}`|https?:\/\/\S{1,400}|(?<!\S)\S{0,200}[/\\_]\S{0,200}/g
const WORD = /\p{L}+/gu
const LOOKED_AT = 8_000
const LEAST_WORDS = 8

/** Commands, paths and fenced code say nothing about the language somebody writes in. */
function withoutCode(text: string): string {
  return text.slice(0, LOOKED_AT).replace(CODE, ' ')
}

/** The script most of a text is written in, '' for a text without letters. */
function scriptOf(text: string): string {
  const others = text.replace(ASCII, '')
  const latin = lengthOf(text.match(ASCII_LETTER))
  const weights = SCRIPTS.map(([name, letters]) => {
    const count = others === '' ? 0 : (others.match(letters)?.length ?? 0)
    return [name, name === 'latin' ? count + latin : count * (DENSE.has(name) ? 3 : 1)] as const
  })
  const [name, weight] = weights.reduce((best, one) => (one[1] > best[1] ? one : best))
  return weight === 0 ? '' : name
}

const lengthOf = (pieces: readonly string[] | null): number =>
  pieces === null ? 0 : pieces.reduce((sum, { length }) => sum + length, 0)

/** Hits of every language's common words. */
function hitsOf(text: string): Map<string, number> {
  const hits = new Map<string, number>()
  for (const word of text.toLowerCase().match(WORD) ?? [])
    for (const name of LANGUAGES.get(word) ?? []) hits.set(name, (hits.get(name) ?? 0) + 1)
  return hits
}

function languageOf(hits: ReadonlyMap<string, number>): { readonly name: string; readonly count: number } {
  let best = { name: '', count: 0 }
  for (const [name, count] of hits) if (count > best.count) best = { name, count }
  return best
}

/**
 * True when two texts are clearly written in different scripts or languages (docs/spec/truth.md §8). Only what is certain: both need
 * enough common words, and the second must hardly use those of the first.
 */
export function isOtherLanguage(first: string, second: string): boolean {
  const [mine, theirs] = [withoutCode(first), withoutCode(second)]
  const scripts = [scriptOf(mine), scriptOf(theirs)]
  if (scripts[0] === '' || scripts[1] === '') return false
  if (scripts[0] !== scripts[1]) return true
  if (scripts[0] !== 'latin') return false
  const own = languageOf(hitsOf(mine))
  const hits = hitsOf(theirs)
  const other = languageOf(hits)
  if (own.count < LEAST_WORDS || other.count < LEAST_WORDS || own.name === other.name) return false
  return (hits.get(own.name) ?? 0) * 2 < other.count
}
