// The AI SDK's tool loop, compacted by recapd when its messages near the context window.

/**
 * A `prepareStep` for generateText and streamText. Make one for each call: it remembers what it replaced.
 * @param {{ url: string, contextWindow: number, key?: string, timeoutMs?: number } & Record<string, unknown>} options
 *   Everything else goes to POST /compact as it is (model, threshold, protect, customInstructions …).
 * @returns {(step: { messages: import('ai').ModelMessage[] }) => Promise<{ messages: import('ai').ModelMessage[] } | undefined>}
 */
export function recapdCompaction({ url, contextWindow, key, timeoutMs = 170_000, ...settings }) {
  let state
  /** @type {{ last: string, length: number, messages: import('ai').ModelMessage[] } | undefined} */
  let replaced

  return async function prepareStep({ messages }) {
    // AI SDK 7 goes on with what a step returned; 6 begins with the whole history again.
    const isWhole = replaced !== undefined && JSON.stringify(messages[replaced.length - 1]) === replaced.last
    const current = isWhole ? [...replaced.messages, ...messages.slice(replaced.length)] : messages
    const compacted = await compact(current)
    if (compacted !== undefined)
      replaced = { last: JSON.stringify(messages.at(-1)), length: messages.length, messages: compacted }
    if (compacted === undefined && !isWhole) return undefined
    return { messages: compacted ?? current }
  }

  /** The smaller list; undefined while it is small enough, and whenever recapd cannot make one: the loop goes on without it. */
  async function compact(messages) {
    const request = { format: 'vercel', messages, contextWindow, state, ...settings }
    const body = JSON.stringify(request)
    // No text weighs more than a token a character: far below the threshold nobody needs to be asked.
    if (body.length < contextWindow / 2) return undefined
    try {
      const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
      const answer = await fetch(`${url}/compact`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const result = await answer.json()
      state = result.state ?? state
      return answer.ok && result.compacted ? result.messages : undefined
    } catch {
      return undefined
    }
  }
}
