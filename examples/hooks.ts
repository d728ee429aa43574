// Hooks of an operator; `hooks: ./examples/hooks.ts` in the configuration loads them. They run inside the service, so they
// should be quick: each has 5 s, and one that fails is ignored with a warning.
import { appendFile } from 'node:fs/promises'
import type { Entry, RecapdHooks } from '../src/hooks/hook-types.ts'

const TICKET = /\b[A-Z]{2,10}-\d{1,6}\b/g

export const hooks: RecapdHooks = {
  /** While a release runs, its agent keeps every word: entries of type `custom` carry the state of our release tool. */
  session_before_compact({ branchEntries }) {
    const release = branchEntries.findLast(({ customType }) => customType === 'release')
    return stateOf(release) === 'running' ? { cancel: true } : undefined
  },

  /** Ticket numbers are easy to lose and cheap to keep: told to the model, and stored beside the summary. */
  'session.compacting'({ messages }) {
    const tickets = [...new Set(JSON.stringify(messages).match(TICKET) ?? [])].sort()
    if (tickets.length === 0) return undefined
    return { context: [`Name these tickets where they matter: ${tickets.join(', ')}`], preserveData: { tickets } }
  },

  /** Numbers for our own statistics. Nothing of the conversation leaves the service. */
  async session_compact({ compactionEntry, fromExtension }) {
    const file = process.env['COMPACTIONS_FILE']
    if (file === undefined) return
    const { tokensBefore, timestamp } = compactionEntry
    await appendFile(file, `${JSON.stringify({ timestamp, tokensBefore, fromExtension })}\n`)
  },

  /** A branch of one unanswered message needs no model: its summary is that message. */
  session_before_tree({ preparation: { entriesToSummarize } }) {
    const [only, ...more] = entriesToSummarize.filter(({ type }) => type === 'message')
    if (only?.message?.role !== 'user' || more.length > 0) return undefined
    const asked = textOf(only.message.content)
    if (asked === '') return undefined
    return { summary: { summary: `On another branch the user asked, and got no answer yet: ${asked}` } }
  },
}

/** Agents store a message as one text or as parts. */
function textOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }]
  const texts = parts.map((part) => (typeof part === 'object' && part !== null && 'text' in part ? part.text : ''))
  return texts
    .filter((text) => typeof text === 'string')
    .join('')
    .trim()
}

function stateOf(entry: Entry | undefined): unknown {
  const data = entry?.['data']
  return typeof data === 'object' && data !== null && 'state' in data ? data.state : undefined
}
