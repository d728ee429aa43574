import type { LiveRegion } from '../../src/domain/session/live.ts'
import { liveRegion } from '../../src/domain/session/live.ts'
import { pathTo } from '../../src/domain/session/path.ts'
import { readSession, type Session } from '../../src/domain/session/session.ts'

type Fields = Readonly<Record<string, unknown>>

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments?: unknown
}

/** Text of exactly so many tokens (4 ASCII bytes each). */
export function text(tokens: number, mark = 'lorem'): string {
  return `${mark} ${'lorem ipsum dolor sit amet '.repeat(Math.ceil((tokens * 4) / 27))}`.slice(0, tokens * 4)
}

export function usage(total: number): Fields {
  return { input: total - 10, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: total }
}

export function assistantMessage(content: string, calls: readonly Call[] = [], fields: Fields = {}): Fields {
  const parts = [
    ...(content === '' ? [] : [{ type: 'text', text: content }]),
    ...calls.map((call) => ({ type: 'toolCall', arguments: {}, ...call })),
  ]
  return { role: 'assistant', content: parts, provider: 'fake', model: 'fake-1', stopReason: 'stop', ...fields }
}

/** Builds a session in the agents' entry format: every entry is the child of the one before unless `at` moved the leaf. */
export class SessionBuilder {
  readonly rows: Fields[] = [{ type: 'session', version: 3, id: 'session-1', cwd: '/repo' }]
  leaf: string | null = null

  add(fields: Fields): string {
    const id = this.rows.length.toString(16).padStart(8, '0')
    this.rows.push({ id, parentId: this.leaf, timestamp: '2026-01-01T00:00:00.000Z', ...fields })
    this.leaf = id
    return id
  }

  at(id: string | null): this {
    this.leaf = id
    return this
  }

  message(message: Fields): string {
    return this.add({ type: 'message', message })
  }

  user(content: string): string {
    return this.message({ role: 'user', content: [{ type: 'text', text: content }] })
  }

  assistant(content: string, calls: readonly Call[] = [], fields: Fields = {}): string {
    return this.message(assistantMessage(content, calls, fields))
  }

  result(toolCallId: string, content: string, fields: Fields = {}): string {
    return this.message({
      role: 'toolResult',
      toolCallId,
      toolName: 'bash',
      content: [{ type: 'text', text: content }],
      ...fields,
    })
  }

  /** One answer with a call, and its result. Returns the ids of both. */
  tool(callId: string, content: string, fields: Fields = {}): readonly [string, string] {
    return [this.assistant('', [{ id: callId, name: 'bash' }]), this.result(callId, content, fields)]
  }

  bash(command: string, output: string, fields: Fields = {}): string {
    return this.message({ role: 'bashExecution', command, output, exitCode: 0, ...fields })
  }

  custom(content: string): string {
    return this.add({ type: 'custom_message', customType: 'note', content, display: true })
  }

  branchSummary(summary: string, fields: Fields = {}): string {
    return this.add({ type: 'branch_summary', fromId: 'root', summary, ...fields })
  }

  compaction(summary: string, firstKeptEntryId: string, fields: Fields = {}): string {
    return this.add({ type: 'compaction', summary, firstKeptEntryId, tokensBefore: 1, ...fields })
  }

  /** `count` turns of one ask (100 tokens) and one answer (900 tokens). */
  turns(count: number, mark = 'turn'): readonly { readonly user: string; readonly assistant: string }[] {
    return Array.from({ length: count }, (_, turn) => ({
      user: this.user(text(100, `${mark} ask ${turn}`)),
      assistant: this.assistant(text(900, `${mark} answer ${turn}`)),
    }))
  }

  read(): Session {
    return readSession(this.rows)
  }

  live(leafId?: string): LiveRegion {
    return liveRegion(pathTo(this.read(), leafId))
  }
}

/** With these the first part of a long talk goes and the second stays. */
export const LONG_TALK_SETTINGS = { keepRecentTokens: 600 }

/** Rows of a session whose first part is summarised; `fill` puts something into that part. */
export function longTalk(fill?: (session: SessionBuilder) => void) {
  const session = new SessionBuilder()
  session.user('please move the relay')
  session.assistant(text(2000, 'working'))
  fill?.(session)
  if (fill !== undefined) session.assistant(text(700, 'so far'))
  session.user('next')
  session.assistant(text(500, 'well'))
  return session.rows
}
