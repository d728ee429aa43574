import type { Region, RegionCall, RegionEvent } from '../conversation/tool-event.ts'
import { isSynthetic } from '../ledger/user-words.ts'
import type { TranscriptItem } from './serialize.ts'

const RAN = /^Ran (?:`([^`\n]+)`|Python:)\n/

/** The region that the items of a conversation tell, with every text of theirs as its source. */
export function regionFromItems(items: readonly TranscriptItem[]): Region {
  const source = items.flatMap(({ text, calls = [] }) => [
    text,
    ...calls.map(({ args }) => (typeof args === 'string' ? args : JSON.stringify(args ?? {}))),
  ])
  return { events: eventsFromItems(items), source }
}

/** What happened in a conversation; results belong to the calls before them, in order. */
export function eventsFromItems(items: readonly TranscriptItem[]): readonly RegionEvent[] {
  const events: RegionEvent[] = []
  let waiting: number[] = []
  for (const item of items) {
    switch (item.role) {
      case 'user':
      case 'developer':
        events.push(...userEvents(item))
        break
      case 'assistant':
        if (item.text !== '') events.push({ kind: 'assistant', text: item.text })
        waiting = (item.calls ?? []).map(
          ({ name, args }) =>
            events.push({ kind: 'call', name, args: argumentsOf(args), failed: false, result: '' }) - 1,
        )
        break
      case 'toolResult':
        answer(events, waiting, item)
        break
      default:
        item.role satisfies never
    }
  }
  return events
}

/** `!command` of a user was run, not asked for; earlier summaries and reminders are not the user's words. */
function userEvents({ role, text }: TranscriptItem): RegionEvent[] {
  const ran = RAN.exec(text)
  if (ran !== null) {
    return [
      { kind: 'call', name: 'bash', args: { command: ran[1] ?? '' }, failed: false, result: text.slice(ran[0].length) },
    ]
  }
  return role === 'developer' || text === '' || isSynthetic(text) ? [] : [{ kind: 'user', text }]
}

/** A bare string is what apply_patch-like tools take; the patch reader looks for it under `input`. */
function argumentsOf(args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args === 'string') return { input: args }
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Record<string, unknown>) : {}
}

function answer(events: RegionEvent[], waiting: number[], item: TranscriptItem): void {
  const at = waiting.shift()
  const event = at === undefined ? undefined : events[at]
  const failed = item.isError === true
  if (at === undefined || event?.kind !== 'call') {
    events.push({ kind: 'call', name: 'unknown', args: {}, failed, result: item.text })
    return
  }
  events[at] = { ...event, failed, result: item.text } satisfies RegionCall
}
