import type { RegionEvent } from '../conversation/tool-event.ts'
import { EMPTY_ANSWER } from '../dialects/pairs.ts'
import { callsOf, isObject, jsonText, partText, type Row, resultId, roleOf } from '../dialects/row.ts'
import { stripThinking } from '../summary/strip-thinking.ts'
import { isImagePart } from '../tokens/chat-tokens.ts'
import type { TranscriptItem } from '../transcript/serialize.ts'

const FAILED =
  /^\s*(?:error\b|failed\b|traceback \(|apply_patch verification failed|exit code: [1-9]|\{\s*"error"\s*:\s*["{[\d])/i
const HIDDEN_THOUGHT: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])
const INTERRUPTED = 'interrupted, no result'

/** Rows for the sessions' serialiser (session-compaction §12). Native reasoning is never told, images are only named. */
export function transcriptOfRows(rows: readonly Row[]): TranscriptItem[] {
  return rows.flatMap((row): TranscriptItem[] => {
    const role = roleOf(row.message)
    const text = spokenText(row.message.content)
    if (role === 'user') return [{ role, text }]
    if (role === 'tool' || role === 'function') return [{ role: 'toolResult', text, isError: isFailed(row) }]
    if (role === 'assistant') return answerItems(row, text)
    return [
      { role: 'developer', text: role === 'system' || role === 'developer' ? text : `${role.toUpperCase()}: ${text}` },
    ]
  })
}

/** The rows as the audit reads them. */
export function regionOfRows(rows: readonly Row[]): RegionEvent[] {
  const calls = new Map<Row, RegionEvent[]>()
  for (const { row, name, args, isFailed: failed, result } of answeredCalls(rows)) {
    const event: RegionEvent = { kind: 'call', name, args: recordOf(args), failed, result }
    const events = calls.get(row)
    if (events === undefined) calls.set(row, [event])
    else events.push(event)
  }
  return rows.flatMap((row): RegionEvent[] => {
    const role = roleOf(row.message)
    const text = spokenText(row.message.content)
    if (role === 'user') return [{ kind: 'user', text }]
    if (role !== 'assistant') return []
    return [...(text === '' ? [] : [{ kind: 'assistant' as const, text }]), ...(calls.get(row) ?? [])]
  })
}

/** Text parts joined by newlines, images and unknown parts by name (bug-log B115). */
export function spokenText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isObject(content) ? jsonText(content) : ''
  return content.map(partName).join('\n')
}

function partName(part: unknown): string {
  const text = isImagePart(part) ? null : partText(part)
  if (text !== null) return text
  if (!isImagePart(part)) return isObject(part) ? `[${String(part['type'] ?? 'part')}]` : jsonText(part)
  const url = isObject(part['image_url']) ? part['image_url']['url'] : part['image_url']
  return typeof url === 'string' && /^https?:\/\//.test(url) ? `[image: ${url}]` : '[image]'
}

function answerItems(row: Row, text: string): TranscriptItem[] {
  const lost = row.lost ?? []
  const calls = [...callsOf(row.message), ...lost].map((call) => ({ name: call.name, args: argsOf(call.args) }))
  const said = stripThinking(text === EMPTY_ANSWER ? '' : text)
  const told = [said, ...hiddenTexts(row)].filter((piece) => piece !== '').join('\n')
  return [
    { role: 'assistant', text: told, calls },
    ...lost.map(
      (call): TranscriptItem => ({ role: 'toolResult', text: `${call.name}: ${INTERRUPTED}`, isError: true }),
    ),
  ]
}

/** What the provider did by itself (searches, server tools, its own compaction): named, and told where it has a text. */
function hiddenTexts(row: Row): string[] {
  const hidden = [row.message['reasoning_details'], row.message['codex_message_items']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  return hidden.flatMap((item) => {
    if (!isObject(item) || HIDDEN_THOUGHT.has(item['type']) || typeof item['type'] !== 'string') return []
    if (item['type'] === 'compaction') return typeof item['content'] === 'string' ? [item['content']] : []
    const detail = jsonText(item['input'] ?? item['action'])
    return [
      `[${item['type']}${typeof item['name'] === 'string' ? ` ${item['name']}` : ''}${detail === '' ? '' : ` ${detail}`}]`,
    ]
  })
}

interface AnsweredCall {
  readonly name: string
  readonly args: unknown
  readonly isFailed: boolean
  readonly row: Row
  readonly result: string
}

function answeredCalls(rows: readonly Row[]): AnsweredCall[] {
  const done: { -readonly [K in keyof AnsweredCall]: AnsweredCall[K] }[] = []
  const open = new Map<string, (typeof done)[number]>()
  for (const row of rows) {
    for (const call of callsOf(row.message)) {
      const use = { row, name: call.name, args: argsOf(call.args), isFailed: false, result: '' }
      done.push(use)
      open.set(call.id, use)
    }
    const answered = roleOf(row.message) === 'tool' ? open.get(resultId(row.message)) : undefined
    if (answered === undefined) continue
    answered.isFailed = isFailed(row)
    answered.result = spokenText(row.message.content)
  }
  return done
}

function isFailed(row: Row): boolean {
  return row.message['is_error'] === true || FAILED.test(spokenText(row.message.content).slice(0, 200))
}

function argsOf(args: string): unknown {
  try {
    return JSON.parse(args) as unknown
  } catch {
    return args
  }
}

function recordOf(args: unknown): Readonly<Record<string, unknown>> {
  return isObject(args) ? args : args === '' ? {} : { input: args }
}
