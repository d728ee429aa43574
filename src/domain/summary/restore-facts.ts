import type { FactKind, HardFact } from '../ledger/hard-facts.ts'
import { openFence } from '../text/fences.ts'
import { headingOf } from '../text/headings.ts'
import { oneLine } from '../text/one-line.ts'
import { textTokens } from '../tokens/text-tokens.ts'

const HEADING = '## Kept Facts'
/** Told as the past: what reads like an order gets executed (docs/bug-log.md B152). */
const LABELS: Readonly<Record<FactKind, string>> = {
  request: 'Newest request',
  constraint: 'User constraint',
  question: 'Unanswered question',
  error: 'Unresolved error',
  file: 'Modified file',
  command: 'Command run',
}
// A request cut shorter than this says nothing any more.
const LEAST_REQUEST = 30

/**
 * Appends missing facts under one heading: whole lines, most important first, within the budget (tokens). Only the newest
 * request is shortened rather than left out.
 */
export function restoreFacts(
  answer: string,
  missing: readonly HardFact[],
  tokens: number,
): { text: string; restored: HardFact[] } {
  const lines: string[] = []
  const restored: HardFact[] = []
  let left = tokens - textTokens(`\n\n${HEADING}\n`)
  for (const fact of missing) {
    // A constraint that stands in the restored request is back already.
    if (lines.some((line) => line.includes(fact.text))) {
      restored.push(fact)
      continue
    }
    const line = fitting(fact, left)
    if (line === null) continue
    left -= textTokens(`${line}\n`)
    lines.push(line)
    restored.push(fact)
  }
  return { text: lines.length === 0 ? answer : append(answer, lines.join('\n')), restored }
}

function fitting(fact: HardFact, left: number): string | null {
  const line = `- ${LABELS[fact.kind]}: ${fact.text}`
  if (textTokens(`${line}\n`) <= left) return line
  if (fact.kind !== 'request') return null
  return shortened(fact.text, left)
}

/** The request cut to what is left; null when that is too little to say anything. */
function shortened(request: string, left: number): string | null {
  const label = `- ${LABELS.request}: `
  let room = left * 4 - label.length - 1
  // Other scripts take up to three bytes a sign: a second and a third cut by the measured ratio make it fit.
  for (let pass = 0; pass < 4 && room >= LEAST_REQUEST; pass += 1) {
    const line = `${label}${oneLine(request, room)}`
    const tokens = textTokens(`${line}\n`)
    if (tokens <= left) return line
    room = Math.floor((room * left) / tokens) - 1
  }
  return null
}

/** Into the section of that name when the model carried one on, else at the end. */
function append(answer: string, added: string): string {
  const lines = answer.split('\n')
  const at = lines.findLastIndex((line) => headingOf(line)?.line === HEADING)
  if (at < 0) {
    const body = answer.trimEnd()
    // An answer cut inside a code block would swallow what is appended.
    const fence = openFence(body)
    return `${body}${fence === null ? '' : `\n${fence.mark}`}\n\n${HEADING}\n${added}`
  }
  const next = lines.findIndex((line, index) => index > at && headingOf(line) !== null)
  const end = next < 0 ? lines.length : next
  const section = lines.slice(0, end).join('\n').trimEnd()
  const rest = lines.slice(end).join('\n')
  return rest === '' ? `${section}\n${added}` : `${section}\n${added}\n\n${rest}`
}
