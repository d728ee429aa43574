import { defined } from '../../domain/defined.ts'
import type { RedisClient } from '../../models/stores/redis-client.ts'
import type { RedisLink } from '../../models/stores/redis-link.ts'
import type { Sealer } from '../../models/stores/sealer.ts'
import { createChangeListeners } from '../change-listeners.ts'
import type { FinalStatus, JobEnd, JobEvent, JobRecord, JobTask } from '../job.ts'
import type { Begin, Claim, JobStore } from '../job-store.ts'
import {
  decodeEnd,
  decodeEvents,
  decodeRecord,
  decodeTask,
  encodeEnd,
  encodeEvents,
  encodeHead,
  encodeTask,
} from './job-codec.ts'
import { BEGIN, CREATE, FINISH, FORGET, NOTE } from './redis-scripts.ts'

export interface RedisJobStoreOptions {
  readonly link: RedisLink
  readonly sealer: Sealer
  readonly ttlMs: number
  /** Silence after which whoever ran a job counts as dead. */
  readonly stalledMs: number
}

/** Undefined, where Redis could not be asked; else as a JobStore says it. */
export interface RedisJobStore extends Pick<JobStore, 'onChange'> {
  create(record: JobRecord, task: JobTask | undefined): Promise<true | undefined>
  read(id: string): Promise<JobRecord | 'gone' | undefined>
  task(id: string): Promise<JobTask | undefined>
  end(id: string): Promise<JobEnd | undefined>
  /** `isSettling`: Redis was away until a moment ago, so a heartbeat that is missing says nothing yet. */
  begin(id: string, startedAt: number, isSettling: boolean): Promise<Begin | undefined>
  note(id: string, progress: JobRecord['progress'], events: readonly JobEvent[]): Promise<boolean>
  events(id: string, index: number): Promise<readonly JobEvent[] | undefined>
  finish(id: string, status: FinalStatus, end: JobEnd | undefined, finishedAt: number): Promise<boolean | undefined>
  claim(name: string, claim: Claim): Promise<Claim | undefined>
  forget(name: string, id: string): Promise<void>
  /** What is not yet over must not run out while somebody works on it. */
  keep(ids: readonly string[]): Promise<void>
  /** Whoever runs these is alive. */
  beat(ids: readonly string[]): Promise<void>
}

const TOPIC = 'jobs-changed'

/** Jobs of all replicas. Bodies, events and results lie in Redis sealed, and for the ttl only (docs/spec/production.md §2). */
export function redisJobStore({ link, sealer, ttlMs, stalledMs }: RedisJobStoreOptions): RedisJobStore {
  const listeners = createChangeListeners()
  link.subscribe(TOPIC, listeners.tell, () => {})
  const channel = link.channel(TOPIC)
  // The braces keep all keys of a job on one node of a cluster.
  const hashOf = (id: string) => `${link.prefix}job:{${id}}`
  const part = (id: string, name: 'task' | 'events' | 'end' | 'beat') => `${hashOf(id)}:${name}`
  const claimOf = (name: string) => `${link.prefix}idempotency:${name}`

  const opened = async (place: string): Promise<Buffer | undefined> => {
    const sealed = await link.run((redis) => redis.getBuffer(place))
    return sealed === undefined || sealed === null ? undefined : sealer.open(sealed, place)
  }
  const flag = (reply: unknown): boolean | undefined => (reply === undefined ? undefined : reply === 1)
  const script = (text: string, id: string, values: readonly (string | number | Buffer)[]) =>
    link.run((redis) =>
      redis.eval(
        text,
        5,
        hashOf(id),
        part(id, 'task'),
        part(id, 'events'),
        part(id, 'end'),
        part(id, 'beat'),
        id,
        channel,
        ttlMs,
        ...values,
      ),
    )

  return {
    onChange: listeners.add,
    async create(record, task) {
      const sealed = task === undefined ? '' : sealer.seal(encodeTask(task), part(record.id, 'task'))
      const done = await script(CREATE, record.id, [sealed, ...Object.entries(fieldsOf(record)).flat()])
      return done === 1 ? true : undefined
    },
    async read(id) {
      const hash = await link.run((redis) => redis.hgetall(hashOf(id)))
      if (hash === undefined) return undefined
      const { head, status, startedAt, finishedAt, progress } = hash
      return (
        (head === undefined ? undefined : decodeRecord({ head, status, startedAt, finishedAt, progress })) ?? 'gone'
      )
    },
    async task(id) {
      const value = await opened(part(id, 'task'))
      return value === undefined ? undefined : decodeTask(value)
    },
    async end(id) {
      const value = await opened(part(id, 'end'))
      return value === undefined ? undefined : decodeEnd(value.toString('utf8'))
    },
    async begin(id, startedAt, isSettling) {
      const reply = await script(BEGIN, id, [startedAt, stalledMs, isSettling ? 1 : 0])
      return reply === undefined ? undefined : (BEGINS[Number(reply)] ?? 'over')
    },
    async beat(ids) {
      // Set, not prolonged: it may have run out while Redis was away.
      await link.run((redis) => Promise.all(ids.map((id) => redis.set(part(id, 'beat'), '1', 'PX', stalledMs))))
    },
    async note(id, progress, events) {
      const place = part(id, 'events')
      const sealed = events.map((event) => sealer.seal(encodeEvents([event]), place))
      return (await script(NOTE, id, [JSON.stringify(progress ?? null), ...sealed])) === 1
    },
    async events(id, index) {
      const place = part(id, 'events')
      const rows = await link.run((redis) => redis.lrangeBuffer(place, index, -1))
      return rows?.flatMap((row) => decodeEvents(sealer.open(row, place)?.toString('utf8') ?? ''))
    },
    async finish(id, status, end, finishedAt) {
      const sealed = end === undefined ? '' : sealer.seal(encodeEnd(end), part(id, 'end'))
      return flag(await script(FINISH, id, [status, finishedAt, sealed]))
    },
    async claim(name, claim) {
      const text = `${claim.id} ${claim.digest}`
      const held = await link.run(async (redis) => {
        const free = await redis.set(claimOf(name), text, 'PX', ttlMs, 'NX')
        return free === null ? ((await redis.get(claimOf(name))) ?? text) : text
      })
      const [id, digest] = held?.split(' ') ?? []
      return id === undefined || digest === undefined ? undefined : { id, digest }
    },
    async forget(name, id) {
      await link.run((redis) => redis.eval(FORGET, 1, claimOf(name), id))
    },
    async keep(ids) {
      await link.run((redis) =>
        Promise.all(ids.flatMap((id) => keepAlive(redis, [hashOf(id), part(id, 'task'), part(id, 'events')], ttlMs))),
      )
    },
  }
}

/** Replies of the script. */
const BEGINS: readonly Begin[] = ['over', 'begun', 'running']

const keepAlive = (redis: RedisClient, keys: readonly string[], ttlMs: number) =>
  keys.map((key) => redis.pexpire(key, ttlMs))

function fieldsOf(record: JobRecord): Record<string, string | number> {
  const { status, startedAt, finishedAt } = record
  return defined({ head: encodeHead(record), status, startedAt, finishedAt })
}
