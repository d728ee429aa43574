import { createHash } from 'node:crypto'
import { isRecord } from '../domain/is-record.ts'
import type { Clock } from '../models/clock.ts'
import { createSealer } from '../models/stores/sealer.ts'
import type { Store } from '../models/stores/store.ts'
import { replicaTurn } from '../models/wrappers/sharing/replica-turn.ts'
import type { Answer } from './answer.ts'

export interface ReplicaJoinOptions {
  readonly store: Pick<Store, 'get' | 'set' | 'lease'>
  readonly clock: Clock
}

export interface JoinedWork {
  /** Everything that decides the answer, the body's hash among it. */
  readonly question: string
  readonly leftMs: number
  readonly run: () => Promise<Answer>
}

export type JoinReplicas = (work: JoinedWork, signal: AbortSignal) => Promise<Answer>

/** How long the others have to fetch the answer; they look at least once a second. */
const KEPT_MS = 15_000
/** Renewed by whoever waits, each time it looks. */
const AWAITED_MS = 5_000

/**
 * One replica at a time works on a request; the others wait for what it makes (docs/spec/production.md §2). It lies in
 * Redis only while somebody waits, and sealed with a key made of the request itself: only whoever has the request can read it.
 */
export function joinReplicas({ store, clock }: ReplicaJoinOptions): JoinReplicas {
  return async ({ question, leftMs, run }, signal) => {
    const name = `run:${hashOf('name', question)}`
    const awaited = `awaited:${name}`
    const sealer = createSealer([hashOf('secret', question)])
    const read = async (): Promise<Answer | undefined> => {
      await store.set(awaited, '1', AWAITED_MS)
      const sealed = await store.get(name)
      const plain = sealed === undefined ? undefined : sealer.open(Buffer.from(sealed, 'base64'), name)
      return plain === undefined ? undefined : (JSON.parse(plain.toString('utf8')) as Answer)
    }
    const turn = await replicaTurn({ store, clock, name, leftMs, read }, signal)
    if (turn.answer !== undefined) return withoutCost({ ...turn.answer, cache: 'coalesced' })
    try {
      const answer = await run()
      if ((await store.get(awaited)) !== undefined) {
        await store.set(name, sealer.seal(JSON.stringify(answer), name).toString('base64'), KEPT_MS)
      }
      return answer
    } finally {
      await turn.lease?.release()
    }
  }
}

const hashOf = (use: string, question: string): string =>
  createHash('sha256').update(use).update(question).digest('base64url')

const FREE = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/**
 * The answer as a joiner gets it: made by a call that somebody else pays (docs/spec/production.md §4). Only its end is looked at: of
 * a large session's answer the rest would hold up the event loop.
 */
export function withoutCost(answer: Answer): Answer {
  const { json, costAt } = answer
  if (costAt === undefined) return answer
  const told: unknown = JSON.parse(`{${json.slice(costAt + 1)}`)
  const rows: readonly unknown[] = isRecord(told) && Array.isArray(told['calls']) ? told['calls'] : []
  const calls = rows.map((call) => (isRecord(call) ? { ...call, usage: FREE } : call))
  return { ...answer, json: `${json.slice(0, costAt)},${JSON.stringify({ calls, usage: FREE }).slice(1)}` }
}
