import { RecapdError } from '../domain/errors.ts'
import { onAbort } from '../models/signals/on-abort.ts'
import { roomOfFastest } from '../models/signals/room-of-fastest.ts'
import type { Emit, PipelineEvent } from '../pipelines/pipeline-event.ts'
import type { Answer } from './answer.ts'
import { bodyDigest } from './body-digest.ts'
import type { Execute, Running, WorkCall } from './call.ts'
import { type JoinReplicas, withoutCost } from './join-replicas.ts'

/**
 * A byte-equal compaction joins the one that runs instead of being refused (docs/spec/contract.md §0, 409): agents that lost a connection
 * ask again blindly. It is aborted when its last waiter has gone; late listeners first hear what was sent so far.
 */
export function joinRuns(run: Execute, replicas?: JoinReplicas): Execute {
  const running = new Map<string, SharedRun>()

  const startAlone = (question: string, asked: Running, signal: AbortSignal): Promise<Answer> => {
    const leftMs = asked.call.context.deadlineAt - asked.deps.now()
    return replicas === undefined
      ? run(asked, signal)
      : replicas({ question, leftMs, run: () => run(asked, signal) }, signal)
  }

  const join: Execute = async (asked, signal) => {
    const { call, emit } = asked
    const question = await questionOf(call)
    const [own, fuller] = [`${question} ${call.context.wantsEvents}`, `${question} true`]
    for (;;) {
      signal.throwIfAborted()
      // A caller that wants no events can join a run that emits them; the other way round they would be missing.
      const found = running.get(own) ?? running.get(fuller)
      const shared =
        found ??
        startRun({
          start: (heard, alone) =>
            startAlone(question, { ...asked, emit: emit === undefined ? undefined : heard }, alone),
          onOver: (over) => void (running.get(own) === over && running.delete(own)),
        })
      if (found === undefined) running.set(own, shared)
      try {
        const answer = await waitFor(shared, emit, signal)
        return found === undefined ? answer : withoutCost(answer)
      } catch (error) {
        // Its first caller had less time than this one, who goes on alone.
        if (found === undefined || signal.aborted || !isOutOfTime(error)) throw error
      }
    }
  }
  return (one, signal) =>
    JOINED.has(one.call.endpoint) && one.call.isTrial !== true ? join(one, signal) : run(one, signal)
}

/** Those whose answers name new entries: joined, they name the same ones. For all other endpoints the model calls are joined. */
const JOINED: ReadonlySet<string> = new Set(['compact', 'branch-summary'])

const isOutOfTime = (error: unknown): boolean => error instanceof RecapdError && error.code === 'deadline-exceeded'

/** What makes two requests one: everything that decides the answer, but not who waits how long. */
async function questionOf({ endpoint, mediaType, query, bytes, context }: WorkCall): Promise<string> {
  const { callerName, noCache } = context
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([endpoint, mediaType, callerName, noCache, parameters, await bodyDigest(bytes)])
}

/** One run that several requests wait for. */
interface SharedRun {
  readonly end: Promise<Answer>
  /** Tells the newcomer what was said so far, then everything. */
  join(waiter: object, emit: Emit | undefined): void
  /** True for the last one: the run is aborted and its end says why. */
  leave(waiter: object, reason: unknown): boolean
}

interface RunOptions {
  start(heard: Emit, signal: AbortSignal): Promise<Answer>
  /** Called once, when nobody can join any more. */
  onOver(run: SharedRun): void
}

function startRun({ start, onOver }: RunOptions): SharedRun {
  const controller = new AbortController()
  const waiters = new Map<object, Emit | undefined>()
  const said: PipelineEvent[] = []
  const tell = (event: PipelineEvent) => {
    said.push(event)
    for (const emit of waiters.values()) emit?.(event)
  }
  const heard: Emit = Object.assign(tell, {
    room: () => roomOfFastest(Array.from(waiters.values(), (emit) => emit?.room?.())),
  })
  const shared: SharedRun = {
    end: start(heard, controller.signal).finally(() => onOver(shared)),
    join(waiter, emit) {
      for (const event of said) emit?.(event)
      waiters.set(waiter, emit)
    },
    leave(waiter, reason) {
      const isLast = waiters.delete(waiter) && waiters.size === 0
      if (!isLast) return false
      onOver(shared)
      controller.abort(reason)
      return true
    },
  }
  return shared
}

/** One waiter: the end of the run, or of its own patience while others go on waiting. */
async function waitFor(shared: SharedRun, emit: Emit | undefined, signal: AbortSignal): Promise<Answer> {
  const waiter = {}
  const { promise: left, reject } = Promise.withResolvers<never>()
  shared.join(waiter, emit)
  const aborting = onAbort(() => {
    if (!shared.leave(waiter, signal.reason)) reject(signal.reason)
  }, signal)
  try {
    return await Promise.race([shared.end, left])
  } finally {
    aborting[Symbol.dispose]()
  }
}
