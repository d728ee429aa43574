import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { configWarnings } from '../../src/config/config-warnings.ts'
import { loadConfig } from '../../src/config/load-config.ts'

const alpha = (more: object = {}, model: object = {}) => ({
  alpha: {
    baseUrl: 'https://alpha.example/v1',
    apiKeys: ['k'],
    models: { small: { contextWindow: 8000, ...model } },
    ...more,
  },
})
const key = (name: string, more: object = {}) => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  ...more,
})

async function warningsOf(value: object): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-warnings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'recapd.json')
  writeFileSync(file, JSON.stringify(value))
  return configWarnings(await loadConfig({ RECAPD_CONFIG: file }))
}

it.each([
  ['nothing odd', { providers: alpha() }, []],
  [
    'https without a key',
    { providers: alpha({ apiKeys: [] }) },
    [/^providers\.alpha: is reached over https and has no key/],
  ],
  ['a key in a header', { providers: alpha({ apiKeys: [], headers: { 'x-api-key': 'k' } }) }, []],
  [
    'an endpoint as base URL',
    { providers: alpha({ baseUrl: 'https://alpha.example/v1/chat/completions' }) },
    [/baseUrl: ends with an endpoint/],
  ],
  [
    'a base URL without a version',
    { providers: alpha({ baseUrl: 'https://alpha.example' }) },
    [/baseUrl: has no version path/],
  ],
  [
    'answers longer than the window',
    { providers: alpha({}, { maxOutputTokens: 9000 }) },
    [/models\.small\.maxOutputTokens: is larger/],
  ],
  [
    'one try as long as a request',
    { providers: alpha(), timeouts: { attemptMs: 9000, requestMs: 8000 } },
    [/^timeouts\.attemptMs: is longer/],
  ],
  [
    'a stop shorter than a request',
    { providers: alpha(), server: { drainMs: 1000 } },
    [/^server\.drainMs: is shorter/],
  ],
  [
    'two keys of one name',
    { providers: alpha(), auth: { keys: [key('a'), { ...key('b'), name: 'a' }] } },
    [/two keys are called a/],
  ],
  [
    'the hash of nothing',
    { providers: alpha(), auth: { keys: [{ ...key('a'), sha256: createHash('sha256').digest('hex') }] } },
    [/a has the hash of an empty key/],
  ],
  [
    'endpoints that are no paths',
    { providers: alpha(), auth: { keys: [key('a', { endpoints: ['compact'] })] } },
    [/endpoints of a are paths/],
  ],
  ['a candidate alone', { providers: alpha(), candidates: ['alpha/small'] }, [/^candidates: alpha\/small is alone/]],
] as const)('configWarnings of %s', async (_, value, expected) => {
  const usual = { server: { drainMs: 200_000 }, candidates: ['alpha/small', 'recapd/extractive'] }
  const warnings = await warningsOf({ ...usual, ...value })
  expect(warnings).toHaveLength(expected.length)
  for (const [at, pattern] of expected.entries()) expect(warnings[at]).toMatch(pattern)
})
