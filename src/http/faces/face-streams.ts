import { ERROR_SHAPES } from '../plugins/error-shapes.ts'
import type { Problem } from '../plugins/problem.ts'
import {
  chatEvents,
  messageEvents,
  type ResponseEvent,
  responseBegun,
  responseEvents,
  type WireEvent,
} from './wire-events.ts'

/** How one answer is streamed to a client of one API. Texts are whole server-sent events. */
export interface FaceStream {
  /** A sign that we are still there, which resets the client's idle timer. */
  heartbeat(): string
  /** The finished answer, from its JSON. */
  answer(json: string): string
  failure(problem: Problem): string
}

export type FaceStreams = (request: { readonly id: string; readonly createdAt: number }) => FaceStream

/** OpenAI's chat: comments are ignored, a failure is one nameless error. */
export const chatStream: FaceStreams = () => ({
  heartbeat: () => ': still working\n\n',
  answer: (json) => spelled(chatEvents(JSON.parse(json))),
  failure: ({ error }) => spelled([{ data: JSON.stringify({ error }) }]),
})

/** Anthropic's messages: pings are ordinary events. */
export const messagesStream: FaceStreams = () => ({
  heartbeat: () => spelled([{ name: 'ping', data: '{"type":"ping"}' }]),
  answer: (json) => spelled(messageEvents(JSON.parse(json))),
  failure: (problem) => spelled([{ name: 'error', data: JSON.stringify(ERROR_SHAPES.anthropic(problem)) }]),
})

/**
 * OpenAI's responses: numbered events. A heartbeat is `response.in_progress`, since comments do not reset Codex's idle timer
 * (docs/spec/faces.md §1).
 */
export const responsesStream: FaceStreams = ({ id, createdAt }) => {
  const { created, inProgress } = responseBegun(`resp_${id}`, createdAt)
  let sent = 0
  const numbered = (events: readonly ResponseEvent[]): string =>
    spelled(
      [...(sent === 0 ? [created] : []), ...events].map((event) => ({
        name: event.type,
        data: JSON.stringify({ ...event, sequence_number: sent++ }),
      })),
    )
  return {
    heartbeat: () => numbered([inProgress]),
    answer: (json) => numbered(responseEvents(JSON.parse(json))),
    failure({ code, detail }) {
      const response = {
        id: `resp_${id}`,
        object: 'response',
        status: 'failed',
        output: [],
        error: { code, message: detail },
      }
      return numbered([{ type: 'response.failed', response }])
    },
  }
}

/** Gemini's streamed answer is one event with everything. */
export const geminiStream: FaceStreams = () => ({
  heartbeat: () => ': still working\n\n',
  answer: (json) => spelled([{ data: json }]),
  failure: (problem) => spelled([{ data: JSON.stringify(ERROR_SHAPES.gemini(problem)) }]),
})

const spelled = (events: readonly WireEvent[]): string =>
  events.map(({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`).join('')
