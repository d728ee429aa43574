// Texts: looked at before the patterns are asked, searched by their first character, bounded before they are counted.
import { CUE_KINDS, cueKindsIn } from '../../src/domain/ledger/cues/any-cue.ts'
import { LANGUAGES } from '../../src/domain/ledger/cues/languages.ts'
import { cleanCharacters } from '../../src/domain/text/clean.ts'
import { matchesAt } from '../../src/domain/text/matches-at.ts'
import { SECRET_FAMILIES } from '../../src/domain/text/redact.ts'
import { signsIn, signsInEach } from '../../src/domain/text/signs.ts'
import { FRAMES } from '../../src/domain/text/structure/frames.ts'
import { neutralizeData } from '../../src/domain/text/structure/neutralize.ts'
import { mostTextTokens, textTokens } from '../../src/domain/tokens/text-tokens.ts'
import { agentText } from '../agent-text.ts'
import type { Trick } from './trick.ts'

const TEXT_BYTES = 204_800
const PIECE = 600
const SHORT_PIECE = 40
/** As many as are looked at together. */
const SHORT_PIECES = 750
const KINDS = ['prohibition', 'obligation', 'convention', 'reason'] as const

export function textTricks(): readonly Trick[] {
  const text = agentText(TEXT_BYTES)
  const pieces = cut(text, PIECE)
  const short = cut(text, SHORT_PIECE).slice(0, SHORT_PIECES)
  const steps = [cleanCharacters, neutralizeData, ...SECRET_FAMILIES.map(({ mask }) => mask)]
  const cues = KINDS.flatMap((kind) => LANGUAGES.map((language) => language[kind]))
  const kinds = KINDS.reduce((bits, kind) => bits | CUE_KINDS[kind], 0)
  const names = `<(${FRAMES.conversations.join('|')})>`
  const sticky = new RegExp(names, 'y')
  const global = new RegExp(names, 'g')
  return [
    {
      what: `200 KB in pieces of ${PIECE}: anything to clean, defuse or mask? One look at every pair of neighbours`,
      where: 'src/domain/text/signs.ts',
      ours: () => pieces.map(signsIn),
      plain: () => pieces.map((piece) => steps.map((step) => step(piece))),
    },
    {
      what: `the same of ${SHORT_PIECES} pieces of ${SHORT_PIECE}, looked at together`,
      where: 'src/domain/text/signs.ts',
      ours: () => signsInEach(short),
      plain: () => short.map(signsIn),
    },
    {
      what: 'a cue of four kinds in any of 13 languages: three characters looked up at every place',
      where: 'src/domain/ledger/cues/lookup/cue-index.ts',
      ours: () => pieces.map((piece) => cueKindsIn(piece, kinds)),
      plain: () => pieces.map((piece) => cues.map((cue) => cue.test(piece))),
    },
    {
      what: 'the tags of 200 KB, tried only where one can begin',
      where: 'src/domain/text/matches-at.ts',
      ours: () => [...matchesAt(text, '<', sticky)],
      plain: () => [...text.matchAll(global)],
    },
    {
      what: 'a prompt of 200 KB fits its window: bounded by its length before it is counted',
      where: 'src/models/wrappers/fold.ts',
      ours: () => mostTextTokens(text),
      plain: () => textTokens(text),
    },
    {
      what: '200 KB in pieces put together: added up, and copied once',
      where: 'src/domain/transcript/serialize.ts',
      ours: () =>
        Buffer.from(`<conversation>\n${pieces.reduce((all, piece) => `${all}\n\n${piece}`)}\n</conversation>`),
      plain: () => Buffer.from(`<conversation>\n${pieces.join('\n\n')}\n</conversation>`),
    },
  ]
}

const cut = (text: string, length: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length))
