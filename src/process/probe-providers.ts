import type { Config } from '../config/load-config.ts'
import { errnoOf } from '../domain/errno-of.ts'
import { NO_LIMITS } from '../models/callers/caller-limits.ts'
import { createCallerSlots } from '../models/callers/caller-slots.ts'
import { systemClock } from '../models/clock.ts'
import { ModelError } from '../models/model-error.ts'
import { silentObserver } from '../models/observer.ts'
import { textPrompt } from '../models/prompt.ts'
import { createProvider, type Provider } from '../models/sources/provider.ts'
import { memoryStore } from '../models/stores/memory.ts'

const limitsOf = () => NO_LIMITS

/** Asks the first model of each provider for one token, past retries and fallback, and says how it answered; never a key. */
export async function probeProviders(config: Config): Promise<readonly string[]> {
  const clock = systemClock
  const parts = {
    store: memoryStore({ clock, maxBytes: 0 }),
    clock,
    observer: silentObserver,
    limitsOf,
    slots: createCallerSlots(limitsOf),
  }
  return Promise.all(
    Object.entries(config.providers).map(async ([name, options]) => {
      const provider = createProvider({ name, provider: options }, config, parts)
      try {
        return await probe(provider, options.apiKeys?.[0], config.timeouts.attemptMs)
      } finally {
        await provider.close()
      }
    }),
  )
}

/** These count as answers: one token is hardly ever a whole one. */
const ANSWERED: ReadonlySet<string> = new Set(['truncated', 'empty'])

async function probe({ sources }: Provider, key: string | undefined, attemptMs: number): Promise<string> {
  const [first] = sources
  if (first === undefined) return 'probe: a provider without models'
  const startedAt = Date.now()
  const say = (how: string) => `probe: ${first.source.id} ${how} (${Date.now() - startedAt} ms)`
  const prompt = textPrompt('Answer with one word.')
  const request = { system: '', prompt, maxTokens: 1, deadlineAt: startedAt + attemptMs }
  try {
    await first.source.completeWith(key, request, AbortSignal.timeout(attemptMs))
    return say('answers')
  } catch (error) {
    if (!(error instanceof ModelError)) return say('failed: timeout')
    if (ANSWERED.has(error.outcome)) return say('answers')
    const { status, cause } = error.facts
    return say(`failed: ${[error.outcome, status, causeOf(cause)].filter((part) => part !== undefined).join(' ')}`)
  }
}

/** An errno or nothing: other texts of a cause may hold what was sent. */
function causeOf(cause: unknown): string | undefined {
  const code = errnoOf(cause) ?? cause
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : undefined
}
