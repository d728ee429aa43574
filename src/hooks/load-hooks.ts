import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { RecapdError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { runAsHook } from './hook-context.ts'
import { HOOK_NAMES, type HookName } from './hook-results.ts'
import { type Hooks, noHooks } from './hooks.ts'
import type { PipelineObserver } from './pipeline-observer.ts'
import { createHooks, type HookFile } from './run-hook.ts'

const KNOWN = `the hooks are ${HOOK_NAMES.join(', ')}`

/** For the file's own top-level code, which may await. */
const LOAD_LIMIT_MS = 10_000

/** The operator's hooks; none where no file is named. Throws `invalid-request` where it cannot be used; main refuses to start. */
export async function loadHooks(file: string | undefined, observer: PipelineObserver): Promise<Hooks> {
  return file === undefined
    ? noHooks
    : createHooks(await loadHookFile(file, (name, fault) => observer.hookFault(name, fault)), observer)
}

/** Imports the file (once a thread, as every module) and picks its functions, all faults reported at once. */
export async function loadHookFile(file: string, report: HookFile['report']): Promise<HookFile> {
  const url = pathToFileURL(path.resolve(file)).href
  const module = await importFile(file, url, report)
  const faults: string[] = []
  const functions = new Map<HookName, (event: object) => unknown>()
  for (const [source, owner] of sourcesOf(module, faults)) {
    faults.push(...misspelt(owner).map((name) => `${source} ${name} is not a hook (${KNOWN})`))
    for (const name of HOOK_NAMES) {
      const hook = owner[name]
      if (hook === undefined || functions.has(name)) continue
      if (typeof hook === 'function') functions.set(name, (event) => hook.call(owner, event))
      else faults.push(`${source} ${name} is not a function`)
    }
  }
  if (functions.size === 0 && faults.length === 0) faults.push(`it exports no hook (${KNOWN})`)
  if (faults.length > 0) throw refusal(file, faults)
  return { url, functions, report }
}

type Loose = Readonly<Record<string, unknown>>

async function importFile(file: string, url: string, report: HookFile['report']): Promise<Loose> {
  const late = Symbol('late')
  const ended = new AbortController()
  try {
    const owner = { name: 'file', url, report }
    const limit = delay(LOAD_LIMIT_MS, late, { signal: ended.signal })
    const module: unknown = await Promise.race([runAsHook(owner, () => import(url)), limit])
    if (isRecord(module)) return module
  } catch (error) {
    // Whoever starts the service wrote the file: its message, unlike one of a running hook, holds no conversation.
    throw refusal(file, [`it cannot be loaded: ${error instanceof Error ? error.message : String(error)}`], error)
  } finally {
    ended.abort()
  }
  throw refusal(file, [`it was not loaded after ${LOAD_LIMIT_MS / 1000} s`])
}

/** The exports themselves, and the objects exported as `hooks` or default. */
function sourcesOf(module: Loose, faults: string[]): [string, Loose][] {
  const sources: [string, Loose][] = [['its export', module]]
  for (const name of ['hooks', 'default']) {
    const value = module[name]
    if (value === undefined) continue
    if (isRecord(value)) sources.push([`in its export ${name},`, value])
    else faults.push(`its export ${name} is not an object of hooks`)
  }
  return sources
}

/** Names that were surely meant as hooks: nobody should wait in vain for one that is never called. */
function misspelt(owner: Loose): string[] {
  const known: ReadonlySet<string> = new Set(HOOK_NAMES)
  return Object.keys(owner).filter((name) => !known.has(name) && MEANT.test(name.replace(/[^A-Za-z]/g, '')))
}

const MEANT = /^(on)?session(befor|after|compact|tree)/i

function refusal(file: string, faults: readonly string[], cause?: unknown): RecapdError {
  const errors = faults.map((message) => ({ path: `hooks ${file}`, message }))
  return new RecapdError('invalid-request', 'The hook file cannot be used', { errors, cause })
}
