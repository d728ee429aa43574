// What the looks cost that spare a text the patterns: over text as agents write it, in CPU time.
import { CUE_KINDS, cueKindsIn } from '../src/domain/ledger/cues/any-cue.ts'
import { LANGUAGES } from '../src/domain/ledger/cues/languages.ts'
import { cleanCharacters } from '../src/domain/text/clean.ts'
import { SECRET_FAMILIES } from '../src/domain/text/redact.ts'
import { signsIn } from '../src/domain/text/signs.ts'
import { neutralizeData } from '../src/domain/text/structure/neutralize.ts'
import { agentText } from './agent-text.ts'
import { median } from './median.ts'

const MB = 1_000_000
const PIECE = 600
const ROUNDS = 15
const KINDS = ['prohibition', 'obligation', 'convention', 'reason'] as const

/** Prints milliseconds of CPU a MB: each look, and what it is looked at instead of. Takes a few seconds. */
export function signsBench(): void {
  const text = agentText(MB)
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) =>
    text.slice(at * PIECE, (at + 1) * PIECE),
  )
  const steps = [cleanCharacters, neutralizeData, ...SECRET_FAMILIES.map(({ mask }) => mask)]
  const cues = KINDS.flatMap((kind) => LANGUAGES.map((language) => language[kind]))
  const kinds = KINDS.reduce((bits, kind) => bits | CUE_KINDS[kind], 0)
  console.log(
    `\n### A look before the patterns: CPU ms for 1 MB in pieces of ${PIECE} characters (median of ${ROUNDS}, Node ${process.version})\n`,
  )
  console.log('| question | one look | the patterns | |')
  console.log('| --- | --- | --- | --- |')
  row('anything to clean, defuse or mask?', {
    look: timeOf(pieces, signsIn),
    patterns: timeOf(pieces, (piece) => steps.map((step) => step(piece))),
  })
  row('any cue of four kinds, in any language?', {
    look: timeOf(pieces, (piece) => cueKindsIn(piece, kinds)),
    patterns: timeOf(pieces, (piece) => cues.map((cue) => cue.test(piece))),
  })
}

function row(question: string, { look, patterns }: { readonly look: number; readonly patterns: number }): void {
  console.log(`| ${question} | ${look.toFixed(1)} | ${patterns.toFixed(1)} | ${(patterns / look).toFixed(1)}x |`)
}

function timeOf(pieces: readonly string[], run: (piece: string) => unknown): number {
  const times = Array.from({ length: 2 * ROUNDS }, () => {
    const before = process.cpuUsage()
    for (const piece of pieces) run(piece)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  // The first half is warm-up.
  return median(times.slice(ROUNDS))
}

if (import.meta.main) signsBench()
