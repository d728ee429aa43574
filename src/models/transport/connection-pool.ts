import { createRequire } from 'node:module'
import type undici from 'undici'

/**
 * undici's pool without the rest of undici: fetch, mocks, caches and web sockets are two thirds of its modules, 14 MB of memory and
 * 30 ms of the start (`npm run bench -- start`). The version is pinned, and transport.test.ts drives it.
 */
const load = createRequire(import.meta.url)

export const Pool: typeof undici.Pool = load('undici/lib/dispatcher/pool.js')
export const { ResponseExceededMaxSizeError }: typeof undici.errors = load('undici/lib/core/errors.js')
