import { expect, it } from 'vitest'
import { redisCause } from '../../../src/models/stores/redis-probe.ts'

const named = (name: string, message: string) => Object.assign(new Error(message), { name })
const coded = (code: string) => Object.assign(new Error('connect to redis://u:secret@host'), { code })

it.each([
  ['nothing thrown', undefined, 'connection closed'],
  ['an errno', coded('ECONNREFUSED'), 'ECONNREFUSED'],
  ['a command under which the connection ended', new Error('Connection is closed.'), 'connection closed'],
  [
    'a command that came too late',
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    'connection closed',
  ],
  ['a connection that was never made', new Error('connect ETIMEDOUT'), 'ETIMEDOUT'],
  ['a command without a reply', new Error('Command timed out'), 'no reply in 250 ms'],
  ['a refusal an operator can act on', named('ReplyError', 'OOM command not allowed'), 'OOM: Redis has no memory left'],
  ['any other refusal', named('ReplyError', 'NOSCRIPT No matching script'), 'NOSCRIPT'],
  [
    'the last node of a cluster',
    Object.assign(named('ClusterAllFailedError', 'Failed to refresh slots cache.'), { lastNodeError: coded('EPIPE') }),
    'EPIPE',
  ],
  ['what nobody foresaw', named('TypeError', 'redis://u:secret@host'), 'TypeError'],
])('redisCause names %s, and quotes no message that may hold the URL', (_, error, cause) => {
  expect(redisCause(error, 250)).toBe(cause)
})
