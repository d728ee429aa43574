import { AsyncLocalStorage } from 'node:async_hooks'

/** Where to report what a hook left running and what failed later. */
export interface HookOwner {
  readonly name: string
  /** URL of the hook file. */
  readonly url: string
  /** The words say what happened, without any text of the hook's or of a conversation. */
  readonly report: (name: string, fault: string) => void
}

const context = new AsyncLocalStorage<HookOwner>()
const owners = new Map<string, HookOwner>()

/**
 * Runs the operator's code so that everything it starts is known to be its own, however late it fails: promises nobody
 * waits for, timers, event emitters. Such failures would otherwise end the process.
 */
export function runAsHook<T>(owner: HookOwner, run: () => T): T {
  if (owners.size === 0) contain()
  owners.set(owner.url, owner)
  return context.run(owner, run)
}

/** Once a thread, and only where there are hooks: what is not a hook's ends the process (or worker) as it always does. */
function contain(): void {
  const handle = (thrown: unknown): void => {
    const owner = context.getStore() ?? ownerByStack(thrown)
    if (owner === undefined) throw thrown
    owner.report(owner.name, `left something running that failed later (${describeThrown(thrown, owner.url)})`)
  }
  process.on('unhandledRejection', handle)
  process.on('uncaughtException', handle)
}

/** Where the context is lost, as older versions of Node lose it in microtasks, the stack still shows whose it was. */
function ownerByStack(thrown: unknown): HookOwner | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  for (const [url, owner] of owners) if (stack.includes(url)) return { ...owner, name: 'file' }
  return undefined
}

/** `TypeError at line 12`: a message may quote a conversation, so it stays out. */
export function describeThrown(thrown: unknown, url: string): string {
  try {
    if (!(thrown instanceof Error)) return `a ${thrown === null ? 'null' : typeof thrown}`
    const stack = thrown.stack ?? ''
    const at = stack.indexOf(`${url}:`)
    const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + url.length + 1))?.[0]
    return `${thrown.constructor.name}${line === undefined ? '' : ` at line ${line}`}`
  } catch {
    return 'an error that cannot be read'
  }
}
