import { proseLines } from '../text/prose.ts'
import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { utf8Length } from '../tokens/utf8.ts'

const MOST_SENTENCES = 4000
const MOST_CHOSEN = 40
const WORD = /[\p{L}\p{N}]{3,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

const SPACES = /\s+/g
const EDGE = /^[\s\-*#>\d.)[\]xX_`"'“”]+|(?<![\s.!;:,_*`"'“”])[\s.!;:,_*`"'“”]+$/g

/** Form in which two sentences are the same: bullets, marks, case and spaces do not count. */
const entryKey = (text: string): string => text.replace(EDGE, '').replace(SPACES, ' ').toLowerCase()

/** The sentences of a text that say most, in their order, within the given bytes: frequent words, first and last sentences. */
export function rankedSentences(text: string, maxBytes: number): string[] {
  const sentences = distinctSentences(text)
  const counts = new Map<string, number>()
  const words = sentences.map((sentence) => [...new Set(sentence.toLowerCase().match(WORD) ?? [])])
  for (const list of words) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = sentences.map((sentence, at) => ({
    sentence,
    at,
    score: scoreOf(words[at] ?? [], counts, { at, length: sentences.length }),
  }))
  scored.sort((a, b) => b.score - a.score || a.at - b.at)
  const chosen: typeof scored = []
  let used = 0
  for (const each of scored) {
    const weight = utf8Length(each.sentence) + 1
    if (chosen.length >= MOST_CHOSEN || used + weight > maxBytes) continue
    chosen.push(each)
    used += weight
  }
  return chosen.sort((a, b) => a.at - b.at).map((each) => each.sentence)
}

function distinctSentences(text: string): string[] {
  const seen = new Map<string, string>()
  const prose = proseLines(text, text.length)
  const lines = prose.some((line) => line.trim() !== '') ? prose : text.split('\n')
  for (const line of lines) {
    for (const sentence of sentencesOf(withoutBullet(line))) {
      const key = entryKey(sentence)
      if (key !== '' && !seen.has(key)) seen.set(key, sentence)
    }
  }
  const all = [...seen.values()]
  return all.length <= MOST_SENTENCES ? all : [...all.slice(0, MOST_SENTENCES / 2), ...all.slice(-MOST_SENTENCES / 2)]
}

function scoreOf(
  words: readonly string[],
  counts: ReadonlyMap<string, number>,
  { at, length }: { readonly at: number; readonly length: number },
): number {
  const sum = words.reduce((total, word) => total + Math.log(1 + (counts.get(word) ?? 0)), 0)
  const place = at === 0 ? 2 : at < 3 || at === length - 1 ? 1 : 0
  return sum / Math.sqrt(words.length + 4) + place
}
