import { addAll } from '../add-all.ts'
import { callOf } from './call.ts'
import type { Call, Conversation, Part, Result, Speaker, Turn } from './conversation.ts'
import { type PairEvent, pairCalls } from './pair-calls.ts'
import { type ResultSource, resultOf, wordsInside } from './results/result.ts'
import { cutUserText } from './speakers/cut-user-text.ts'
import type { Piece } from './speakers/piece.ts'

/** A result before it is known which call it answers. `name`: of its tool, where the dialect says it. */
export interface UnpairedResult extends ResultSource {
  readonly name?: string | undefined
}

interface Draft {
  readonly speaker: Speaker
  readonly rows: readonly number[]
  readonly parts: Part[]
  readonly result?: UnpairedResult
}

/** A user row that pastes more than this directly after a slash command is what the command stands for. */
const LEAST_TEMPLATE = 280

/**
 * Makes the one conversation value (docs/spec/reading.md §1) from rows in their order, whatever dialect they are of. Readers say what
 * a row holds; who speaks in it, what answers what and what a user said inside a result is decided here alone.
 */
export class ConversationBuilder {
  readonly #drafts: Draft[] = []
  readonly #unanswered: 'interrupted' | 'unknown'
  /** The last row was a slash command of the user's and nothing else. */
  #behindSlash = false
  /** A command the user ran waits for its output. */
  #ran: Call | null = null

  /** `unanswered`: what a call without a result is; `unknown` for transcripts, which leave empty results out. */
  constructor(options: { readonly unanswered: 'interrupted' | 'unknown' }) {
    this.#unanswered = options.unanswered
  }

  /** A row in the user's name: its text blocks, and what can be seen in it beside them. */
  user(rows: readonly number[], texts: readonly string[], others: readonly Part[] = []): void {
    const pieces = texts.flatMap(cutUserText)
    const isTemplate =
      this.#behindSlash &&
      pieces.every(({ as, text }) => as === 'words' && text.length > LEAST_TEMPLATE && text.includes('\n'))
    this.#behindSlash = pieces.length > 0 && pieces.every(({ as }) => as === 'slash')
    if (isTemplate) for (const { text } of pieces) this.machine(rows, text)
    else for (const piece of pieces) this.#piece(rows, piece)
    if (others.length > 0) this.#add('user', rows, others)
  }

  /** Text that a program wrote in a row of its own. */
  machine(rows: readonly number[], text: string): void {
    if (text.trim() !== '') this.#add('machine', rows, [{ kind: 'machine', text }])
  }

  /** The same where it may hold a command the user ran or an earlier summary. */
  notice(rows: readonly number[], text: string): void {
    for (const piece of cutUserText(text)) {
      if (piece.as === 'words' || piece.as === 'slash') this.machine(rows, piece.text)
      else this.#piece(rows, piece)
    }
  }

  summary(rows: readonly number[], text: string, framed: string): void {
    this.#add('machine', rows, [{ kind: 'summary', text, framed }])
  }

  /** The list becomes the turn's own. */
  assistant(rows: readonly number[], parts: Part[]): void {
    this.#behindSlash = false
    if (parts.length > 0) this.#drafts.push({ speaker: 'assistant', rows, parts })
  }

  result(rows: readonly number[], result: UnpairedResult): void {
    this.#drafts.push({ speaker: 'tool', rows, parts: [], result })
  }

  build(): Conversation {
    this.#closeRun()
    const { answers, silent } = this.#pair()
    const turns: Turn[] = []
    this.#drafts.forEach((draft, at) => {
      if (draft.result === undefined) turns.push(draft)
      else addResult(turns, draft.rows, resultOf(draft.result, answers[at] ?? null))
      for (const call of silent.get(at) ?? NO_CALLS) {
        const source = { callId: call.id, text: '', isError: false, status: this.#unanswered }
        turns.push({ speaker: 'tool', rows: draft.rows, parts: [resultOf(source, call)] })
      }
    })
    return { turns }
  }

  #add(speaker: Speaker, rows: readonly number[], parts: readonly Part[]): void {
    const last = this.#drafts.at(-1)
    const joins =
      last !== undefined && last.speaker === speaker && last.result === undefined && sameRows(last.rows, rows)
    if (joins) addAll(last.parts, parts)
    else this.#drafts.push({ speaker, rows, parts: [...parts] })
  }

  #piece(rows: readonly number[], piece: Piece): void {
    if (piece.as !== 'output') this.#closeRun()
    if (piece.as === 'words') this.#add('user', rows, [{ kind: 'words', text: piece.text }])
    else if (piece.as === 'slash')
      this.#add('user', rows, [{ kind: 'words', text: `/${piece.name} ${piece.args}`.trim() }])
    else if (piece.as === 'machine') this.machine(rows, piece.text)
    else if (piece.as === 'summary') this.summary(rows, piece.body, piece.text)
    else if (piece.as === 'ran') this.#ranByUser(rows, piece.text, piece.command)
    else this.#output(rows, piece.text, piece.output)
  }

  #ranByUser(rows: readonly number[], text: string, command: string): void {
    const call = callOf({ id: '', name: 'bash', arguments: { command } })
    this.#add('machine', rows, [{ kind: 'machine', text }, call])
    if (!text.startsWith('Ran ')) {
      this.#ran = call
      return
    }
    this.#add('machine', rows, [outputOf(call, text.slice(text.indexOf('\n') + 1))])
  }

  #output(rows: readonly number[], text: string, output: string): void {
    this.machine(rows, text)
    const call = this.#ran
    if (call === null) return
    this.#ran = null
    this.#add('machine', rows, [outputOf(call, output)])
  }

  #closeRun(): void {
    const call = this.#ran
    const last = this.#drafts.at(-1)
    this.#ran = null
    if (call === null || last === undefined) return
    this.#add('machine', last.rows, [resultOf({ callId: '', text: '', isError: false, status: 'unknown' }, call)])
  }

  /** Which call each result draft answers; for calls without one: by the draft after which that is reported. */
  #pair(): { answers: readonly (Call | undefined)[]; silent: Map<number, Call[]> } {
    const events: (PairEvent & { readonly call: Call | null })[] = []
    this.#drafts.forEach(({ speaker, parts, result }, row) => {
      if (result !== undefined) events.push({ kind: 'result', id: result.callId, name: result.name, row, call: null })
      if (speaker !== 'assistant') return
      for (const part of parts)
        if (part.kind === 'call') events.push({ kind: 'call', id: part.id, name: part.name, row, call: part })
    })
    const { resultOf: answerOf, callOf: asked } = pairCalls(events)
    const answers: (Call | undefined)[] = Array.from({ length: this.#drafts.length })
    const silent = new Map<number, Call[]>()
    let anchor = -1
    let row = -1
    events.forEach((event, at) => {
      if (event.call === null) {
        const call = events[asked[at] ?? -1]?.call
        if (call) answers[event.row] = call
        return
      }
      if (event.row !== row) anchor = event.row
      row = event.row
      const answer = events[answerOf[at] ?? -1]
      if (answer !== undefined) anchor = answer.row
      else if (!silent.get(anchor)?.push(event.call)) silent.set(anchor, [event.call])
    })
    return { answers, silent }
  }
}

const NO_CALLS: readonly Call[] = []

/** The result, and as a turn of the user's what the user said in it. */
function addResult(turns: Turn[], rows: readonly number[], result: Result): void {
  turns.push({ speaker: 'tool', rows, parts: [result] })
  const words = wordsInside(result)
  if (words !== null) turns.push({ speaker: 'user', rows, parts: [words] })
}

function outputOf(call: Call, text: string): Part {
  return resultOf({ callId: '', text, isError: false }, call)
}

function sameRows(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at])
}
