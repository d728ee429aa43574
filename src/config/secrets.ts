import { jobSecrets } from '../jobs/options.ts'
import { redisAddress } from '../models/stores/redis-address.ts'
import { keyLines } from './key-lines.ts'
import type { ConfigFile } from './schema.ts'

/** Every secret of a configuration, as it is spelled there: what is printed must hold none of them. */
export function secretsOf(
  { providers, redis, jobs }: Pick<ConfigFile, 'providers' | 'redis' | 'jobs'>,
  apiKeys: string,
): readonly string[] {
  const address = redisAddress(redis.url)
  return [
    apiKeys,
    ...keyLines(apiKeys).flatMap((entry) => [entry, entry.replace(/^[A-Za-z0-9._-]{1,64}:/, '')]),
    ...Object.values(providers).flatMap((provider) => [
      ...(provider.apiKeys ?? []),
      ...Object.values(provider.headers ?? {}).filter((value) => value.length >= 12),
    ]),
    ...(address.fault === undefined && address.password !== undefined ? [address.password] : []),
    ...(jobs === undefined ? [] : (jobSecrets(jobs) ?? [])),
    ...(jobs?.webhook === undefined ? [] : [jobs.webhook.secret]),
  ].filter((secret) => secret !== '')
}
