import { z } from 'zod'
import { onAbort } from '../models/signals/on-abort.ts'
import { describeThrown, type HookOwner, runAsHook } from './hook-context.ts'
import { HOOK_RESULTS, type HookName, type HookResults } from './hook-results.ts'
import type { HookRun, Hooks } from './hooks.ts'
import type { PipelineObserver } from './pipeline-observer.ts'

/** A hook file as a thread loaded it. */
export interface HookFile {
  readonly url: string
  readonly functions: ReadonlyMap<HookName, (event: object) => unknown>
  /** Hears of what hooks left running and what failed later, when their request may be long over. */
  readonly report: (name: string, fault: string) => void
}

/** A hook that has not answered by then is left behind (docs/spec/compaction.md §11). */
const LIMIT_MS = 5_000

/** The hooks of a file under the house's terms: copies in, plain data out, a time limit, every fault reported and ignored. */
export function createHooks(file: HookFile, observer: PipelineObserver, limitMs = LIMIT_MS): Hooks {
  return {
    has: (name) => file.functions.has(name),
    async run({ name, event, refuse }, signal) {
      const hook = file.functions.get(name)
      if (hook === undefined) return { warnings: [] }
      signal.throwIfAborted()
      const startedAt = performance.now()
      const owner = { name, url: file.url, report: file.report }
      const settled = await settle({ hook, owner, event, limitMs }, signal)
      const seconds = (performance.now() - startedAt) / 1000
      signal.throwIfAborted()
      const read = 'fault' in settled ? settled : readResult(name, settled.value, refuse)
      observer.hook(name, seconds)
      if (!('fault' in read)) return { ...read, warnings: [] }
      observer.hookFault(name, read.detail ?? read.fault)
      return { warnings: [`The hook ${name} ${read.fault}; it was ignored.`] }
    },
  }
}

/** `fault` is for the caller of the service, `detail` for the operator's log. */
interface Fault {
  readonly fault: string
  readonly detail?: string
}

interface Run {
  readonly hook: (event: object) => unknown
  readonly owner: HookOwner
  readonly event: object
  readonly limitMs: number
}

/** The hook's answer, or why there is none; resolves at once when the request's signal fires. */
function settle({ hook, owner, event, limitMs }: Run, signal: AbortSignal): Promise<{ value: unknown } | Fault> {
  const controller = new AbortController()
  return new Promise((resolve) => {
    // A listener of the hook's on this signal is the hook's code as well.
    const end = (settled: { value: unknown } | Fault, reason?: unknown): void => {
      clearTimeout(timer)
      aborting[Symbol.dispose]()
      resolve(settled)
      if (reason !== undefined) runAsHook(owner, () => controller.abort(reason))
    }
    const onLate = () => end({ fault: `did not answer within ${limitMs} ms` }, new Error('The hook ran out of time'))
    const timer = setTimeout(onLate, limitMs)
    const aborting = onAbort(() => end({ fault: 'was abandoned' }, signal.reason), signal)
    const called = runAsHook(owner, async () => {
      const copy = structuredClone(event)
      return hook(owner.name.startsWith('session_before_') ? { ...copy, signal: controller.signal } : copy)
    })
    called.then(
      (value) => end({ value }),
      (thrown) => end({ fault: 'threw', detail: `threw (${describeThrown(thrown, owner.url)})` }),
    )
  })
}

const SCHEMAS: { readonly [Name in HookName]: z.ZodType<HookResults[Name]> } = HOOK_RESULTS

/** The answer as plain data, so that neither a getter nor a cycle can fail the request later. */
function readResult<Name extends HookName>(
  name: Name,
  value: unknown,
  refuse: HookRun<Name>['refuse'],
): { readonly result?: HookResults[Name] } | Fault {
  const schema = SCHEMAS[name]
  // What a notification answers is nobody's business.
  if (value === undefined || value === null || schema instanceof z.ZodUnknown) return {}
  let plain: unknown
  try {
    plain = JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return { fault: 'answered something that is not plain data' }
  }
  const parsed = schema.safeParse(plain)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { fault: `answered something malformed (${issue?.path.map(String).join('.')}: ${issue?.message})` }
  }
  const refused = refuse?.(parsed.data) ?? null
  return refused === null ? { result: parsed.data } : { fault: `answered what cannot be used (${refused})` }
}
