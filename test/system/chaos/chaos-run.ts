import { expect } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { readEvents } from '../../support/read-events.ts'
import { drawn } from '../../support/seeded.ts'
import { atOnce, type Client, type ClientAnswer } from './client.ts'

/** One request and what its client does beside waiting. */
export interface Order {
  readonly mark: string
  readonly body: { readonly systemPrompt: string; readonly prompt: string; readonly maxTokens: number }
  readonly events: boolean
  /** Walks away after so many ms. */
  readonly leavesAfterMs: number | undefined
}

/** A failure, with what one has to know of it to find its cause. */
export interface Problem {
  readonly mark: string
  readonly bytes: number
  readonly code: string
  readonly detail: string
  /** Each try that was made, in a line. */
  readonly attempts: readonly string[]
}

/** What each order ended in: exactly one of these. */
export type End = 'summary' | 'left' | Problem

const HEADINGS =
  'Summarise the conversation above. Use exactly these headings:\n\n## Goal\n[one line]\n\n## Next Steps\n1. [step]'
const PLAIN = 'Summarise the conversation above in a few sentences.'
const SENTENCE = 'Look at the module, then move one function at a time and run its tests again. '

/** A conversation of about so many bytes, with the mark in every block: each part of a folded one carries it. */
function promptOf(mark: string, bytes: number, instructions: string): string {
  const blocks: string[] = []
  for (let size = 0; size < bytes; size += 1_000) {
    const label = blocks.length % 2 === 0 ? 'User' : 'Assistant'
    blocks.push(`[${label}]: ${mark} step ${blocks.length}. ${SENTENCE.repeat(11)}`)
  }
  return `<conversation>\n${blocks.join('\n\n')}\n</conversation>\n\n${instructions}`
}

/** 1.3 MB is work for the worker threads, 90 KB is folded here, 8 KB fits. */
function sizeOf(number: number): number {
  if (number < 0.004) return 1_300_000
  return number < 0.03 ? 90_000 : 8_000
}

/** Orders by seed: one in ten repeats a recent one, one in forty is folded, one in ten streams, one in twenty leaves. */
export function ordersOf(seed: number, count: number): Order[] {
  return Array.from({ length: count }, (_, i) => {
    const draw = (what: string) => drawn(seed, what, i)
    const repeats = i > 0 && draw('repeats') < 0.1
    const at = repeats ? i - 1 - Math.floor(draw('which') * Math.min(20, i)) : i
    const own = (what: string) => drawn(seed, what, at)
    const mark = `mark-${seed}${String(at).padStart(5, '0')}`
    const prompt = promptOf(mark, sizeOf(own('size')), own('headings') < 0.3 ? HEADINGS : PLAIN)
    return {
      mark,
      body: { systemPrompt: 'You summarise.', prompt, maxTokens: 600 },
      events: draw('events') < 0.1,
      leavesAfterMs: draw('leaves') < 0.05 ? Math.floor(draw('when') * 120) : undefined,
    }
  })
}

/** Sends them all, fifty at once; every order has an end of its own. */
export function runOrders(client: Client, orders: readonly Order[]): Promise<End[]> {
  return atOnce(
    50,
    orders.map((order) => () => endOf(client, order)),
  )
}

async function endOf(client: Client, order: Order): Promise<End> {
  const { mark, body, events, leavesAfterMs } = order
  const signal = leavesAfterMs === undefined ? undefined : AbortSignal.timeout(leavesAfterMs)
  const headers = events ? { accept: 'text/event-stream' } : {}
  let answer: ClientAnswer
  try {
    answer = await client.post('/summarize', body, headers, signal)
  } catch (error) {
    if (signal?.aborted) return 'left'
    throw new Error(`${mark} was lost`, { cause: error })
  }
  const streamed = /event-stream/.test(answer.headers['content-type'] ?? '')
  return streamed ? streamEnd(answer, order) : plainEnd(answer, order)
}

function plainEnd(answer: ClientAnswer, order: Order): End {
  if (answer.status === 200) {
    expectSummary(JSON.parse(answer.body), order)
    return 'summary'
  }
  const problem = JSON.parse(answer.body)
  expectClear(problem.code)
  expectProblem(answer, answer.status, problem.code)
  return problemOf(problem, order)
}

interface Told {
  readonly code: string
  readonly detail: string
  readonly attempts?: readonly { readonly model: string; readonly outcome: string; readonly durationMs: number }[]
}

const problemOf = ({ code, detail, attempts = [] }: Told, { mark, body }: Order): Problem => ({
  mark,
  bytes: body.prompt.length,
  code,
  detail,
  attempts: attempts.map(({ model, outcome, durationMs }) => `${model} ${outcome} ${Math.round(durationMs)} ms`),
})

/** A stream says `done` or `error` once, as its last word (docs/bug-log.md B184). */
function streamEnd(answer: ClientAnswer, order: Order): End {
  const events = readEvents(answer.body).filter(({ event }) => event !== 'comment')
  const ends = events.filter(({ event }) => event === 'done' || event === 'error')
  expect(ends).toHaveLength(1)
  expect(events.at(-1)).toBe(ends[0])
  const value = JSON.parse(ends[0]?.data ?? '')
  if (ends[0]?.event === 'error') {
    expectClear(value.code)
    return problemOf(value, order)
  }
  expectSummary(value, order)
  return 'summary'
}

/** Of this request and no other, and not what a fault left behind. */
function expectSummary({ summary }: { summary: string }, { mark, body }: Order): void {
  expect(new Set(summary.match(/mark-\d+/g))).toEqual(new Set([mark]))
  if (body.prompt.endsWith(HEADINGS)) expect(summary).toContain('## Goal')
}

/** What models may be to blame for; `internal` would be ours. */
function expectClear(code: string): void {
  expect([
    'models-failed',
    'models-unusable',
    'no-model-available',
    'overloaded',
    'nothing-fits',
    'deadline-exceeded',
  ]).toContain(code)
}
