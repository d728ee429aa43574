import type { Dispatcher } from 'undici'
import { Pool } from '../../../models/transport/connection-pool.ts'
import type { ProxyUpstream } from '../../options.ts'

/** One configured provider with its connections. */
export interface Upstream extends ProxyUpstream {
  readonly name: string
  readonly dispatcher: Dispatcher
  /** Path of its URL; the caller's path follows it. */
  readonly basePath: string
}

const CONNECT_MS = 10_000

/**
 * The upstreams by name. Answers take as long as they take and redirects go back to the caller, so undici's own clocks are
 * off and nothing follows anywhere.
 */
export function openUpstreams(options: Readonly<Record<string, ProxyUpstream>>): ReadonlyMap<string, Upstream> {
  return new Map(
    Object.entries(options).map(([name, option]) => {
      const { origin, pathname } = new URL(option.url)
      const dispatcher = new Pool(origin, {
        allowH2: false,
        connect: { timeout: CONNECT_MS },
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      return [name, { ...option, name, dispatcher, basePath: pathname }]
    }),
  )
}
