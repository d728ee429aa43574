// LangChain agents, compacted by recapd when their messages near the context window.
import { mapStoredMessagesToChatMessages, RemoveMessage } from '@langchain/core/messages'
import { createMiddleware } from 'langchain'

const REMOVE_ALL_MESSAGES = '__remove_all__'
const REST_AFTER_FAILURE_MS = 60_000

/**
 * Middleware for createAgent: replaces the messages of the agent's state before a model is called.
 * @param {{ url: string, contextWindow: number, key?: string, timeoutMs?: number } & Record<string, unknown>} options
 *   Everything else goes to POST /compact as it is (model, threshold, protect, customInstructions …).
 */
export function recapdMiddleware({ url, contextWindow, key, timeoutMs = 170_000, ...settings }) {
  let restUntil = 0
  return createMiddleware({
    name: 'RecapdCompaction',
    beforeModel: async ({ messages }) => {
      const compacted = await compact(messages.map((message) => message.toDict()))
      if (compacted === undefined) return undefined
      return {
        messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...mapStoredMessagesToChatMessages(compacted)],
      }
    },
  })

  /** The smaller list; undefined while it is small enough, and whenever recapd cannot make one: the agent goes on without it. */
  async function compact(messages) {
    const body = JSON.stringify({ format: 'langchain', messages, contextWindow, ...settings })
    // No text weighs more than a token a character: far below the threshold nobody needs to be asked.
    if (body.length < contextWindow / 2 || Date.now() < restUntil) return undefined
    try {
      const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
      const answer = await fetch(`${url}/compact`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const result = await answer.json()
      if (!answer.ok) restUntil = Date.now() + REST_AFTER_FAILURE_MS
      return answer.ok && result.compacted ? result.messages : undefined
    } catch {
      restUntil = Date.now() + REST_AFTER_FAILURE_MS
      return undefined
    }
  }
}
