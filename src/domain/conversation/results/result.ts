import type { Call, Media, Result, ResultStatus, ToolKind, Words } from '../conversation.ts'
import { askAnswer } from './ask-answer.ts'
import { errorLines, failureLines } from './error-lines.ts'
import { exitCodeOf } from './exit-code.ts'
import type { Refusal } from './refusal.ts'
import { INTERRUPTED, refusalIn, statusOf } from './status.ts'

export interface ResultSource {
  readonly callId: string
  readonly text: string
  readonly isError: boolean
  readonly media?: readonly Media[] | undefined
  /** Where the dialect itself says it; else the text is judged. */
  readonly status?: ResultStatus | undefined
  readonly exitCode?: number | undefined
}

/** A result of a call, null for an orphan; its status is judged when first asked for, since most never are. */
export function resultOf(source: ResultSource, call: Call | null): Result {
  return new ReadResult(source, call)
}

const NO_MEDIA: readonly Media[] = []

class ReadResult implements Result {
  readonly kind = 'result'
  readonly callId: string
  readonly call: Call | null
  readonly text: string
  readonly isError: boolean
  readonly media: readonly Media[]
  #status: ResultStatus | undefined
  #exitCode: number | null | undefined

  constructor({ callId, text, isError, media = NO_MEDIA, status, exitCode }: ResultSource, call: Call | null) {
    this.callId = callId
    this.call = call
    this.text = text
    this.isError = isError
    this.media = media
    this.#status = status
    this.#exitCode = exitCode
  }

  get exitCode(): number | null {
    if (this.#exitCode === undefined) this.#exitCode = this.call?.tool === 'run' ? exitCodeOf(this.text) : null
    return this.#exitCode
  }

  get status(): ResultStatus {
    this.#status ??= statusOf(this)
    return this.#status
  }
}

/** What the result of an interrupted call is told as. */
export function interruptedText(call: Call | null): string {
  return call === null || call.name === '' ? INTERRUPTED : `${call.name}: ${INTERRUPTED}`
}

/** Whether what the call was to change may be changed: it neither failed nor was it refused. */
export function tookEffect(result: Result): boolean {
  return result.status !== 'failed' && result.status !== 'denied'
}

/** The line that says what went wrong: of known shape or informative, else its exit code; null for a call that did not fail. */
export function errorLineOf(result: Result): string | null {
  if (result.status !== 'failed') return null
  const line = errorLines(result.text, 1)[0] ?? failureLines(result.text, 1)[0]
  return line ?? (result.exitCode === null ? null : `exit code ${result.exitCode}`)
}

/** A dialect that says itself that a call was denied gives the reason as the text. */
const toldRefusal = ({ status, text, isError }: Result): Refusal | null =>
  isError && status === 'denied' ? { words: text } : null

const PRINTS_OTHERS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'web', 'run', 'delegate'])
/** Tools of a server that somebody else wrote: `mcp__tracker__get_issue`, `tracker__get_issue`. */
const OF_SERVER = /^mcp[_.:-]|__/i

/** Whether an answer of the tool is text of a file, a page, a program, another agent or a server. */
const printsOthers = ({ tool, name }: Call): boolean => PRINTS_OTHERS.has(tool) || OF_SERVER.test(name)

/**
 * The user's words inside a result: the answer to a question, the reason of a rejection. Only results that a tool or the agent
 * itself words are read so: what a file, a page or a program prints is nobody's (docs/spec/hostile.md §3).
 */
export function wordsInside(result: Result): Words | null {
  const { call, text, isError } = result
  if (call === null || text === '') return null
  const refusal = isError || !printsOthers(call) ? (refusalIn(result) ?? toldRefusal(result)) : null
  if (refusal !== null) return refusal.words === '' ? null : { kind: 'words', text: refusal.words, inside: 'rejection' }
  if (call.tool !== 'ask' || result.status !== 'ok') return null
  const answer = askAnswer(text)
  return answer === '' ? null : { kind: 'words', text: answer, inside: 'answer' }
}
