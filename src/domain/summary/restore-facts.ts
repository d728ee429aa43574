import type { HardFact } from '../ledger/ledger-facts.ts'
import { openFence } from '../text/fences.ts'
import { headingOf } from '../text/headings.ts'
import { quoteLine } from '../text/quote.ts'
import { textTokens } from '../tokens/text-tokens.ts'
import { FACT_HEADINGS, factLabels } from './fact-labels.ts'

// A request cut shorter than this says nothing any more.
const LEAST_REQUEST = 30
const GOAL_SHARE = 0.25

/**
 * Appends missing facts under one heading: whole lines, most important first, within the budget (tokens). Only the newest
 * request and the goal are shortened rather than left out.
 */
export function restoreFacts(
  answer: string,
  missing: readonly HardFact[],
  tokens: number,
): { text: string; restored: HardFact[] } {
  const labels = factLabels(answer)
  const lines: string[] = []
  const restored: HardFact[] = []
  let left = tokens - textTokens(`\n\n## ${labels.heading}\n`)
  for (const fact of missing) {
    // A constraint that stands in the restored request is back already.
    if (lines.some((line) => line.includes(fact.text))) {
      restored.push(fact)
      continue
    }
    const line = fitting(fact, labels.of[fact.kind], left)
    if (line === null) continue
    left -= textTokens(`${line}\n`)
    lines.push(line)
    restored.push(fact)
  }
  return { text: lines.length === 0 ? answer : append(answer, `## ${labels.heading}`, lines.join('\n')), restored }
}

function fitting(fact: HardFact, label: string, left: number): string | null {
  const weight = (line: string): number => textTokens(`${line}\n`)
  const line = `- ${label}: ${fact.text}`
  if (fact.kind === 'goal') {
    // Whole where the room is ample; else its first sentence, or the first clause of that: rules must have room beside it.
    const forms = [fact.text, fact.probe, firstClause(fact.probe)].map((text) => `- ${label}: ${text}`)
    const form = forms.find((each) => weight(each) <= GOAL_SHARE * left) ?? forms.at(-1) ?? line
    return weight(form) <= left ? form : shortened(fact.probe, label, left)
  }
  if (weight(line) <= left) return line
  return fact.kind === 'request' ? shortened(fact.text, label, left) : null
}

function firstClause(sentence: string): string {
  const end = sentence.slice(LEAST_REQUEST).search(/[,;:，；：、]|\s[—–(]/)
  return end < 0 ? sentence : sentence.slice(0, LEAST_REQUEST + end)
}

/** The request cut to what is left; null when that is too little to say anything. */
function shortened(request: string, name: string, left: number): string | null {
  const label = `- ${name}: `
  let room = left * 4 - label.length - 4
  // Other scripts take up to three bytes a sign: a second and a third cut by the measured ratio make it fit.
  for (let pass = 0; pass < 4 && room >= LEAST_REQUEST; pass += 1) {
    const line = `${label}${quoteLine(request, room)}`
    const tokens = textTokens(`${line}\n`)
    if (tokens <= left) return line
    room = Math.floor((room * left) / tokens) - 1
  }
  return null
}

/** Into the section of that name when the model carried one on, else at the end. */
function append(answer: string, heading: string, added: string): string {
  const lines = answer.split('\n')
  const at = lines.findLastIndex((line) => FACT_HEADINGS.has(headingOf(line)?.title ?? ''))
  if (at < 0) {
    const body = answer.trimEnd()
    // An answer cut inside a code block would swallow what is appended.
    const fence = openFence(body)
    return `${body}${fence === null ? '' : `\n${fence.mark}`}\n\n${heading}\n${added}`
  }
  const next = lines.findIndex((line, index) => index > at && headingOf(line) !== null)
  const end = next < 0 ? lines.length : next
  const section = lines.slice(0, end).join('\n').trimEnd()
  const rest = lines.slice(end).join('\n')
  return rest === '' ? `${section}\n${added}` : `${section}\n${added}\n\n${rest}`
}
