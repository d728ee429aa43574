import type { Call, Conversation, Result, Turn, Words } from '../conversation/conversation.ts'
import { proseLines } from '../text/prose.ts'
import { CUE_KINDS, cueKindsIn } from './cues/any-cue.ts'
import { type Memory, memoryOf, remembering } from './remembering.ts'
import { type Said, saidIn } from './said.ts'
import { withoutTemplate } from './template.ts'
import { isTrivialTurn } from './trivial-turn.ts'

/** A turn of the user's. `at` is its place among all parts of the conversation. */
export interface UserTurn {
  readonly at: number
  readonly number: number
  readonly text: string
  /** Of what it was read from: the text is always the same for it. */
  readonly memory: Memory
  /** Kinds of cues that it may hold, as far as they are asked for of people: bits of `CUE_KINDS`. */
  readonly cues: number
  /** Asks for nothing by itself: "ok", "go on". */
  readonly isTrivial: boolean
}

/** Words of the user inside a tool result: an option picked, a reason for a refusal. They begin no turn. */
export interface UserAnswer {
  readonly at: number
  readonly number: number
  readonly text: string
  readonly memory: Memory
  readonly cues: number
  readonly isRefusal: boolean
  /** The call whose result held them. */
  readonly call: Call | null
}

/** Something the assistant said. `isClosing`: nothing but the user's next turn, or the end, follows it. */
export interface Saying {
  readonly at: number
  readonly number: number
  readonly text: string
  readonly memory: Memory
  /** The lines of it that are words: found once, when first asked for. */
  readonly lines: readonly string[]
  readonly said: readonly Said[]
  /** Kinds of cues that it may hold, as far as they are asked for of it: bits of `CUE_KINDS`. */
  readonly cues: number
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
  const sayings: ReadSaying[] = []
  const acts: Act[] = []
  const summaries: string[] = []
  let at = 0
  let number = from
  let before: Call | null = null
  const close = (): void => {
    const last = sayings.at(-1)
    if (last !== undefined && (acts.at(-1)?.at ?? -1) < last.at) last.isClosing = true
  }
  for (const turn of conversation.turns) {
    const { speaker, parts } = turn
    const memory = speaker === 'user' ? memoryOf(turn) : undefined
    const asked = memory === undefined ? null : askedOf(memory, () => askedIn(turn))
    if (asked !== null && memory !== undefined) {
      at += 1
      close()
      number += 1
      turns.push({ at, number, memory, cues: askedCues(memory, asked.text), ...asked })
    }
    for (const part of parts) {
      at += 1
      if (part.kind === 'summary') summaries.push(part.text)
      else if (part.kind === 'result') before = part.call
      else if (part.kind === 'call') acts.push({ at, number, call: part, result: results.get(part) })
      else if (part.kind === 'words' && (speaker === 'assistant' || part.inside !== undefined)) {
        const text = part.text.trim()
        if (speaker !== 'assistant') {
          const own = memoryOf(part)
          const isRefusal = part.inside === 'rejection'
          answers.push({ at, number, text, memory: own, cues: askedCues(own, text), isRefusal, call: before })
        } else if (text !== '') sayings.push(new ReadSaying({ at, number, text }, part))
      }
    }
  }
  close()
  return { turns, answers, sayings: heeded(sayings), acts, summaries, lastNumber: number, length: at }
}

/** This many of the newest remarks are heeded, and all that closes a turn: whole sessions rarely hold as many. */
const REMARKS = 500

/** What was remarked in passing long ago shows in what came of its turn. */
const heeded = (sayings: readonly ReadSaying[]): readonly ReadSaying[] =>
  sayings.length <= REMARKS
    ? sayings
    : sayings.filter(({ isClosing }, at) => isClosing || at >= sayings.length - REMARKS)

const askedOf = remembering<Pick<UserTurn, 'text' | 'isTrivial'> | null>()
const linesOf = remembering<readonly string[]>()
const saidOf = remembering<readonly Said[]>()
const cuesOf = remembering<number>()
const ASKED_KINDS =
  CUE_KINDS.prohibition | CUE_KINDS.obligation | CUE_KINDS.rules | CUE_KINDS.decision | CUE_KINDS.choice
const SAID_KINDS = CUE_KINDS.decision | CUE_KINDS.reason | CUE_KINDS.convention | CUE_KINDS.finding | CUE_KINDS.done

/** One look for all who ask after the cues of people. */
const askedCues = (memory: Memory, text: string): number => cuesOf(memory, () => cueKindsIn(text, ASKED_KINDS))

/** Most of what an assistant says is looked at as a whole and never taken apart. */
class ReadSaying implements Saying {
  readonly at: number
  readonly number: number
  readonly text: string
  isClosing = false
  readonly #words: Words
  #memory: Memory | undefined

  constructor(place: Pick<Saying, 'at' | 'number' | 'text'>, words: Words) {
    this.at = place.at
    this.number = place.number
    this.text = place.text
    this.#words = words
  }

  get memory(): Memory {
    this.#memory ??= memoryOf(this.#words)
    return this.#memory
  }

  get lines(): readonly string[] {
    return linesOf(this.memory, () => proseLines(this.text))
  }

  get cues(): number {
    return cuesOf(this.memory, () => cueKindsIn(this.text, SAID_KINDS))
  }

  get said(): readonly Said[] {
    return saidOf(this.memory, () => saidIn(this.lines))
  }
}

function askedIn({ parts }: Turn): Pick<UserTurn, 'text' | 'isTrivial'> | null {
  const words = parts.flatMap((part) => (part.kind === 'words' && part.inside === undefined ? part.text : []))
  const text = withoutTemplate(words.join('\n').trim())
  return text === '' ? null : { text, isTrivial: isTrivialTurn(text) }
}

function resultsByCall(conversation: Conversation): ReadonlyMap<Call, Result> {
  const results = new Map<Call, Result>()
  for (const { parts } of conversation.turns)
    for (const part of parts) if (part.kind === 'result' && part.call !== null) results.set(part.call, part)
  return results
}
