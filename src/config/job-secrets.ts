import type { Fault } from '../domain/errors.ts'
import type { ConfigFile } from './schema.ts'

/** Refuses jobs that would lie in Redis in plain text. */
export function secretFaults({ jobs, redis }: ConfigFile): Fault[] {
  if (jobs === undefined || jobs.secret !== undefined || redis.url === '') return []
  return [
    {
      path: 'jobs.secret',
      message: 'is needed where jobs lie in Redis, which holds them encrypted; `openssl rand -hex 32` makes one',
    },
  ]
}
