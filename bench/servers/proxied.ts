import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'

/** A request as a bare proxy hands it on: our prefix and what belongs to one connection taken off. */
export function proxied({ method = 'GET', url = '/', headers }: IncomingMessage) {
  const { host: _host, connection: _connection, 'transfer-encoding': _coding, ...passed } = headers
  return { method: method as Dispatcher.HttpMethod, path: url.replace('/proxy/anthropic', ''), headers: passed }
}
