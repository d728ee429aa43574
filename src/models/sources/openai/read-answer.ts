import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { parseJson } from '../../../domain/parse-json.ts'
import { ModelError } from '../../model-error.ts'
import type { ProviderResponse } from '../../transport/provider-response.ts'
import { type ChatAnswer, ChatReader } from './chat-answer.ts'

export interface ReadOptions {
  readonly model: string
  /** Of the answer's text and of one event; beyond it the answer is refused (docs/spec/hostile.md §2). */
  readonly textBytes: number
  /** Called with every piece of text, and with an empty one as a sign of life without text. */
  readonly onText: ((text: string) => void) | undefined
  /** Resolves when the listener has room again; undefined where it has room now. */
  readonly room?: (() => Promise<void> | undefined) | undefined
}

/** What an event may have around its text. */
const WRAPPING_BYTES = 16_384
/** How a stream of events begins; providers forget to say so in its content type. */
const EVENTS = /^(?:data|event|id|retry)?:/
const LONGEST_BEGINNING = 'event:'.length

/** Reads an answer as it comes: a stream of events or one JSON completion, told apart by its first bytes. */
export async function readAnswer(response: ProviderResponse, options: ReadOptions): Promise<ChatAnswer> {
  const bad = () => new ModelError(options.model, 'bad_response', { status: response.status })
  const reader = new ChatReader({ onText: options.onText, most: options.textBytes, tooMuch: bad })
  const decoder = new StringDecoder('utf8')
  const events = eventReader(reader, options, bad)
  const pieces: string[] = []
  /** The text so far; blanks in front of it mean nothing, and kept they would be looked at again with each chunk (docs/spec/hostile.md §1). */
  let beginning = ''
  let isStream: boolean | undefined
  await response.read((chunk) => {
    const text = decoder.write(chunk)
    if (isStream === true) {
      const isDone = events.take(text)
      const room = isDone ? undefined : options.room?.()
      if (room !== undefined) void response.pauseUntil(room)
      return isDone
    }
    if (isStream === false) {
      pieces.push(text)
      return false
    }
    // A byte order mark counts as a blank.
    beginning = (beginning + text).trimStart()
    isStream = beginning.length < LONGEST_BEGINNING ? undefined : EVENTS.test(beginning)
    return isStream === true && events.take(beginning)
  })
  if (isStream === true) {
    // The body ended in good order but the answer did not: somebody in between cut it.
    if (!events.isDone() && !reader.ended) throw new ModelError(options.model, 'network', { status: response.status })
    return reader.answer()
  }
  const value = parseJson(beginning + pieces.join('') + decoder.end())
  if (typeof value !== 'object' || value === null) throw bad()
  reader.take(value)
  return reader.answer()
}

/** Hands the events of a stream to the reader. */
function eventReader(reader: ChatReader, { textBytes }: ReadOptions, bad: () => ModelError) {
  let done = false
  let failure: ModelError | undefined
  const parser = createParser({
    maxBufferSize: textBytes + WRAPPING_BYTES,
    onError: ({ type }) => {
      // An unknown field is ignored, as the standard has it.
      if (type === 'max-buffer-size-exceeded') failure ??= bad()
    },
    onEvent({ event = 'message', data }) {
      if (done || failure !== undefined) return
      done = data === '[DONE]'
      if (done) return
      const value = parseJson(data)
      if (value === undefined) failure = bad()
      else reader.take(/error|exception/i.test(event) ? { error: { type: event, value } } : value)
    },
  })
  return {
    isDone: () => done,
    /** True when all of it is there. */
    take(text: string): boolean {
      parser.feed(text)
      if (failure !== undefined) throw failure
      return done
    },
  }
}
