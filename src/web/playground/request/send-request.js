import { defined } from '../../defined.js'
import { readEvents } from './read-events.js'

/** @import { AnyProblem, Answered, OnEvent, Outcome, Refused, Sendable, Stopped } from '../shapes.js' */

const UNREACHABLE = {
  title: 'The service did not answer',
  detail:
    'The connection failed before an answer came. Is the service still running, and is it the one that served this page?',
  code: 'unreachable',
}

/**
 * A problem for answers that are not recapd's own: a proxy's page, a stream that broke off.
 * @param {number} status
 * @param {string} detail
 * @returns {AnyProblem}
 */
const strange = (status, detail) => ({
  title: 'An answer that is not from recapd',
  status,
  detail,
  code: 'unexpected-answer',
})

/**
 * Sends one request. Gives `{json}` or `{problem}`, each with requestId and durationMs, or `{stopped: true}` after an
 * abort. Events of a stream go to `onEvent(name, data)` while it lasts.
 * @param {{ readonly request: Sendable, readonly key: string, readonly onEvent: OnEvent }} what
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome | Stopped>}
 */
export async function sendRequest({ request, key, onEvent }, signal) {
  const startedAt = performance.now()
  /** @type {(outcome: Answered | Refused, response?: Response) => Outcome} */
  const told = (outcome, response) => ({
    ...outcome,
    status: response?.status,
    requestId: response?.headers.get('x-request-id') ?? null,
    cache: response?.headers.get('x-recapd-cache') ?? null,
    durationMs: performance.now() - startedAt,
  })
  /** @type {Response | undefined} */
  let response
  try {
    response = await fetch(request.path, {
      method: 'POST',
      headers: headersOf(request, key),
      body: request.body,
      signal,
    })
    return told(await outcomeOf(response, onEvent), response)
  } catch (error) {
    if (signal.aborted) return { stopped: true }
    if (response === undefined) return told({ problem: UNREACHABLE })
    return told(
      {
        problem: strange(
          response.status,
          `The answer broke off or could not be read (${error instanceof Error ? error.name : error}).`,
        ),
      },
      response,
    )
  }
}

/**
 * @param {Sendable} request
 * @param {string} key
 * @returns {Record<string, string>}
 */
function headersOf(request, key) {
  return defined({
    'content-type': request.contentType,
    accept: request.streams ? 'text/event-stream, application/json' : 'application/json',
    'x-api-key': key || undefined,
  })
}

/**
 * @param {Response} response
 * @param {OnEvent} onEvent
 * @returns {Promise<Answered | Refused>}
 */
async function outcomeOf(response, onEvent) {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('text/event-stream')) return await lastEvent(response.body, onEvent)
  if (!type.includes('json')) {
    return { problem: strange(response.status, `HTTP ${response.status} came back as ${type || 'no media type'}.`) }
  }
  const json = await response.json()
  return response.ok ? { json } : { problem: json }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>> | null} body
 * @param {OnEvent} onEvent
 * @returns {Promise<Answered | Refused>}
 */
async function lastEvent(body, onEvent) {
  for await (const { name, data } of body === null ? [] : readEvents(body)) {
    if (name === 'done') return { json: data }
    if (name === 'error') return { problem: data }
    onEvent(name, data)
  }
  return { problem: strange(200, 'The stream ended before its last event; nothing can be said about the result.') }
}
