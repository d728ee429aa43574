import { createHash } from 'node:crypto'
import type { ProviderOptions } from '../models/options.ts'
import type { Config } from './load-config.ts'

/** Settings that may be intended and hardly ever are (docs/spec/production.md §7); `check-config` reports them, a start does not. */
export function configWarnings(config: Config): readonly string[] {
  return [
    ...Object.entries(config.providers).flatMap(([name, provider]) => providerWarnings(name, provider)),
    ...timeWarnings(config),
    ...keyWarnings(config.auth.keys),
    ...fallbackWarnings(config),
  ]
}

const ENDPOINT_AT_END = /\/(chat\/completions|completions|responses|messages|embeddings|models)\/?$/

function providerWarnings(name: string, provider: ProviderOptions): readonly string[] {
  const address = provider.type === 'remote' ? provider.url : provider.baseUrl
  const place = `providers.${name}`
  const hasHeader = Object.keys(provider.headers ?? {}).some((header) => /authorization|key|token/i.test(header))
  const isOpen = (provider.apiKeys ?? []).length === 0 && !hasHeader
  return [
    ...(address.startsWith('https:') && isOpen
      ? [`${place}: is reached over https and has no key; set apiKeys, or apiKeysFile`]
      : []),
    ...(provider.type === 'remote' ? [] : baseUrlWarnings(`${place}.baseUrl`, address)),
    ...(provider.type === 'remote' ? [] : Object.entries(provider.models)).flatMap(([model, facts]) =>
      (facts.maxOutputTokens ?? 0) > (facts.contextWindow ?? Number.POSITIVE_INFINITY)
        ? [`${place}.models.${model}.maxOutputTokens: is larger than the context window`]
        : [],
    ),
  ]
}

function baseUrlWarnings(place: string, address: string): readonly string[] {
  const { pathname } = new URL(address)
  if (ENDPOINT_AT_END.test(pathname)) return [`${place}: ends with an endpoint; end it before that, at /v1`]
  return pathname === '/' || pathname === ''
    ? [`${place}: has no version path; most providers need /v1 at its end`]
    : []
}

function timeWarnings({ timeouts, server }: Config): readonly string[] {
  return [
    ...(timeouts.attemptMs > timeouts.requestMs
      ? ['timeouts.attemptMs: is longer than timeouts.requestMs, so one try can use up a whole request']
      : []),
    ...(server.drainMs < timeouts.requestMs
      ? ['server.drainMs: is shorter than timeouts.requestMs, so a stop can cut requests']
      : []),
  ]
}

const EMPTY_SHA256 = createHash('sha256').update('').digest('hex')

function keyWarnings(keys: Config['auth']['keys']): readonly string[] {
  const twice = keys.filter(({ name }, at) => keys.findIndex((other) => other.name === name) !== at)
  return [
    ...keys.flatMap(({ name, sha256, endpoints }) => [
      ...(sha256 === EMPTY_SHA256 ? [`auth.keys: ${name} has the hash of an empty key`] : []),
      ...(endpoints.some((glob) => !glob.startsWith('/') && !glob.startsWith('*'))
        ? [`auth.keys: endpoints of ${name} are paths and begin with a slash`]
        : []),
    ]),
    ...twice.map(
      ({ name }) => `auth.keys: two keys are called ${name}; limits, budgets and figures are theirs together`,
    ),
  ]
}

function fallbackWarnings({ candidates, providers }: Config): readonly string[] {
  return candidates.length === 1 && Object.keys(providers).length > 0
    ? [`candidates: ${candidates[0]} is alone; when it fails there is none to fall back to`]
    : []
}
