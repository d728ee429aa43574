import type { Call, Conversation, Result, Turn } from '../conversation/conversation.ts'
import { proseLines } from '../text/prose.ts'
import { remembering } from './remembering.ts'
import { type Said, saidIn } from './said.ts'
import { withoutTemplate } from './template.ts'
import { isTrivialTurn } from './trivial-turn.ts'

/** A turn of the user's. `at` is its place among all parts of the conversation. */
export interface UserTurn {
  readonly at: number
  readonly number: number
  readonly text: string
  /** What it was read from: the text is always the same for it. */
  readonly source: object
  /** Asks for nothing by itself: "ok", "go on". */
  readonly isTrivial: boolean
}

/** Words of the user inside a tool result: an option picked, a reason for a refusal. They begin no turn. */
export interface UserAnswer {
  readonly at: number
  readonly number: number
  readonly text: string
  readonly source: object
  readonly isRefusal: boolean
  /** The call whose result held them. */
  readonly call: Call | null
}

/** Something the assistant said. `isClosing`: nothing but the user's next turn, or the end, follows it. */
export interface Saying {
  readonly at: number
  readonly number: number
  readonly text: string
  readonly source: object
  /** The lines of it that are words: found once, read by many. */
  readonly lines: readonly string[]
  readonly said: readonly Said[]
  readonly isClosing: boolean
}

/** A call with what came of it. */
export interface Act {
  readonly at: number
  readonly number: number
  readonly call: Call
  readonly result: Result | undefined
}

/** The conversation by kind, each in its order: what every part of the ledger reads. */
export interface Timeline {
  readonly turns: readonly UserTurn[]
  readonly answers: readonly UserAnswer[]
  readonly sayings: readonly Saying[]
  readonly acts: readonly Act[]
  /** Summaries of earlier history that stand in the conversation. */
  readonly summaries: readonly string[]
  /** Number of the last turn of the user's; `from` where there is none. */
  readonly lastNumber: number
  readonly length: number
}

/** Sorts the parts of a conversation; turns of the user are numbered on from `from`. Linear. */
export function timelineOf(conversation: Conversation, from: number): Timeline {
  const results = resultsByCall(conversation)
  const turns: UserTurn[] = []
  const answers: UserAnswer[] = []
  const sayings: Saying[] = []
  const acts: Act[] = []
  const summaries: string[] = []
  let at = 0
  let number = from
  let before: Call | null = null
  const close = (isClosing: boolean): void => {
    const last = sayings.at(-1)
    if (last !== undefined && isClosing && (acts.at(-1)?.at ?? -1) < last.at)
      sayings[sayings.length - 1] = { ...last, isClosing }
  }
  for (const turn of conversation.turns) {
    const { speaker, parts } = turn
    const asked = speaker === 'user' ? askedOf(turn, () => askedIn(turn)) : null
    if (asked !== null) {
      at += 1
      close(true)
      number += 1
      turns.push({ at, number, source: turn, ...asked })
    }
    for (const part of parts) {
      at += 1
      if (part.kind === 'summary') summaries.push(part.text)
      else if (part.kind === 'result') before = part.call
      else if (part.kind === 'call') acts.push({ at, number, call: part, result: results.get(part) })
      else if (part.kind === 'words' && speaker === 'assistant' && part.text.trim() !== '')
        sayings.push({ at, number, source: part, ...saidOf(part, () => wordsOf(part.text)), isClosing: false })
      else if (part.kind === 'words' && part.inside !== undefined)
        answers.push({
          at,
          number,
          text: part.text.trim(),
          source: part,
          isRefusal: part.inside === 'rejection',
          call: before,
        })
    }
  }
  close(true)
  return { turns, answers, sayings, acts, summaries, lastNumber: number, length: at }
}

const askedOf = remembering<Pick<UserTurn, 'text' | 'isTrivial'> | null>()
const saidOf = remembering<Pick<Saying, 'text' | 'lines' | 'said'>>()

function askedIn({ parts }: Turn): Pick<UserTurn, 'text' | 'isTrivial'> | null {
  const words = parts.flatMap((part) => (part.kind === 'words' && part.inside === undefined ? part.text : []))
  const text = withoutTemplate(words.join('\n').trim())
  return text === '' ? null : { text, isTrivial: isTrivialTurn(text) }
}

function wordsOf(text: string): Pick<Saying, 'text' | 'lines' | 'said'> {
  const lines = proseLines(text)
  return { text: text.trim(), lines, said: saidIn(lines) }
}

function resultsByCall(conversation: Conversation): ReadonlyMap<Call, Result> {
  const results = new Map<Call, Result>()
  for (const { parts } of conversation.turns)
    for (const part of parts) if (part.kind === 'result' && part.call !== null) results.set(part.call, part)
  return results
}
