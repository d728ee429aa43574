import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { drawn, pick } from '../../support/seeded.ts'
import { atOnce, type Client, type ClientAnswer } from './client.ts'
import type { ReplicaPair, Victim } from './replica-pair.ts'

/** One request under an Idempotency-Key of its own, which is its mark. */
export interface KeyedOrder {
  readonly mark: string
  /** Asks for a job and comes back for it; else waits for the answer. */
  readonly isJob: boolean
  /** Asked of both replicas at once: whoever asks twice must get one answer. */
  readonly isTwice: boolean
  /** The replica asked first. */
  readonly first: number
  /** Falls when this request is sent. */
  readonly victim: Victim | undefined
}

/** What became of it: its answers, byte for byte, and how often it had to be asked. */
export interface KeyedEnd {
  readonly mark: string
  readonly answers: readonly string[]
  readonly asked: number
}

const IN_FLIGHT = 20
const PATIENCE_MS = 90_000
const PAUSE_MS = 100
/** Redis falls more rarely: it is one, and they are two. */
const VICTIMS: readonly Victim[] = ['replica 0', 'replica 1', 'replica 0', 'replica 1', 'redis']

/** Orders by seed: half are jobs, one in ten is asked twice at once, at one in twenty somebody is killed. */
export function keyedOrders(seed: number, count: number): KeyedOrder[] {
  return Array.from({ length: count }, (_, i) => {
    const draw = (what: string) => drawn(seed, what, i)
    return {
      mark: `mark-${seed}${String(i).padStart(5, '0')}`,
      isJob: draw('job') < 0.5,
      isTwice: draw('twice') < 0.1,
      first: draw('first') < 0.5 ? 0 : 1,
      victim: draw('falls') < 0.05 ? pick(VICTIMS, draw('who')) : undefined,
    }
  })
}

/** Sends them all; an order that has no answer when its patience is at an end fails the run. */
export function runKeyedOrders(pair: ReplicaPair, orders: readonly KeyedOrder[]): Promise<KeyedEnd[]> {
  let sent = 0
  return atOnce(
    IN_FLIGHT,
    orders.map((order) => async () => {
      if (order.victim !== undefined) await pair.strike(order.victim)
      const sides = order.isTwice ? [order.first, order.first + 1] : [order.first]
      sent += 1
      if (sent % 1_000 === 0) console.info(`${sent} sent, ${pair.falls.length} kills`)
      const carried = await Promise.all(sides.map((side) => carry(order, side, pair)))
      return {
        mark: order.mark,
        answers: carried.map(({ answer }) => answer),
        asked: carried.reduce((sum, { asked }) => sum + asked, 0),
      }
    }),
  )
}

interface Carried {
  readonly answer: string
  readonly asked: number
}

/** As a careful client does it: after a broken connection, or a failure that may pass, once more with the same key at the other replica. */
async function carry(order: KeyedOrder, side: number, pair: ReplicaPair): Promise<Carried> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const story = storyOf()
  for (let asked = 1; ; asked += 1) {
    try {
      const answer = await ask(order, side + asked - 1, { pair, signal, story })
      if (answer !== undefined) return { answer, asked }
    } catch (error) {
      if (error instanceof Refused) throw error
      if (signal.aborted) throw new Error(`${order.mark} was lost: ${story.told()}`, { cause: error })
      story.tell('broken')
    }
    await sleep(PAUSE_MS)
  }
}

class Refused extends Error {}

interface Asking {
  readonly pair: ReplicaPair
  readonly signal: AbortSignal
  readonly story: ReturnType<typeof storyOf>
}

/** Of a long story, how much is told from its beginning, and as much from its end. */
const TOLD = 20

/** What was heard, each once with how often in a row. */
function storyOf() {
  const heard: { what: string; times: number; at: number }[] = []
  const begin = performance.now()
  return {
    tell(what: string) {
      const last = heard.at(-1)
      if (last?.what === what) last.times += 1
      else heard.push({ what, times: 1, at: Math.round(performance.now() - begin) })
    },
    told() {
      const told = heard.map(({ what, times, at }) => `${at} ms ${what} ×${times}`)
      const gap = told.length > 2 * TOLD ? [`… ${told.length - 2 * TOLD} more …`] : []
      return [...told.slice(0, TOLD), ...gap, ...told.slice(Math.max(TOLD, told.length - TOLD))].join(', ')
    },
  }
}

/** The summary's answer; undefined where it is worth asking again. Rejects when the connection breaks. */
async function ask(order: KeyedOrder, side: number, asking: Asking): Promise<string | undefined> {
  const { mark, isJob } = order
  // The log lines of a request are found by its mark.
  const { pair, signal, story } = asking
  story.tell(`asks ${side % 2}`)
  const headers = { 'idempotency-key': mark, 'x-request-id': mark, ...(isJob ? { prefer: 'respond-async' } : {}) }
  const body = { systemPrompt: 'You summarise.', prompt: `What does ${mark} tell?`, maxTokens: 600 }
  const answer = await pair.clientOf(side).post('/summarize', body, headers, signal)
  story.tell(String(answer.status))
  if (answer.status !== 202) return endOf(answer, mark)
  return found(String(answer.headers.location), side, asking)
}

/** Comes back for a job, at one replica and the other, until it is over. */
async function found(place: string, side: number, { pair, signal, story }: Asking): Promise<string | undefined> {
  for (let i = side; ; i += 1) {
    signal.throwIfAborted()
    await sleep(PAUSE_MS)
    const answer = await get(pair.clientOf(i), place, signal)
    if (answer?.status !== 200) {
      story.tell(`${i % 2}: ${answer?.status ?? 'broken'}`)
      continue
    }
    const { job, result, problem } = JSON.parse(answer.body)
    story.tell(`job ${job.status}`)
    if (result !== undefined) return JSON.stringify(result)
    if (problem?.retryable === true) return undefined
    if (problem !== undefined) throw new Refused(JSON.stringify(problem))
    expect(['queued', 'running']).toContain(job.status)
  }
}

/** Undefined where that replica is gone; 404 where it knows nothing of the job while Redis is away. */
async function get(replica: Client, place: string, signal: AbortSignal): Promise<ClientAnswer | undefined> {
  try {
    return await replica.get(place, signal)
  } catch {
    return undefined
  }
}

function endOf({ status, body }: ClientAnswer, mark: string): string | undefined {
  const value = JSON.parse(body)
  if (status === 200) return JSON.stringify(value)
  if (value.retryable === true) return undefined
  throw new Refused(`${mark}: ${body}`)
}
