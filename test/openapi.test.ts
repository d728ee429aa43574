import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openapiText } from '../scripts/write-openapi.ts'
import { openapiDocument } from '../src/http/openapi/document.ts'
import { OPERATIONS } from '../src/http/openapi/operations.ts'

const root = path.resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }

it('openapi.yaml is what the schemas generate (npm run openapi writes it)', () => {
  expect(readFileSync(path.join(root, 'openapi.yaml'), 'utf8')).toBe(openapiText())
})

it('openapi.yaml has no fault and no warning for redocly', () => {
  const redocly = path.join(root, 'node_modules/.bin/redocly')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [redocly, 'lint', 'openapi.yaml', '--format=json'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  expect(stderr, 'redocly ran').toContain('openapi.yaml')
  expect(JSON.parse(stdout).problems).toEqual([])
  expect(status).toBe(0)
})

it('every POST operation shows an example that its own schema takes', () => {
  const posts = OPERATIONS.filter(({ method }) => method === 'post')
  expect(posts.length).toBeGreaterThan(5)
  for (const { path: address, request, example } of posts)
    expect(request?.safeParse(example).error?.issues, address).toBeUndefined()
})

it('every problem response refers to the one Problem schema', () => {
  const text = JSON.stringify(openapiDocument(version))
  expect(text.match(/application\/problem\+json/g)?.length).toBe(
    text.match(/"#\/components\/schemas\/Problem"/g)?.length,
  )
})

it('every operation describes what any request can meet, in the words in which its failures are told', () => {
  const { paths } = openapiDocument(version) as { paths: Record<string, Record<string, Described>> }
  for (const [address, operations] of Object.entries(paths)) {
    for (const { responses } of Object.values(operations)) {
      expect(Object.keys(responses), address).toEqual(expect.arrayContaining(['400', '408', '417', '431', '500']))
      const isAnthropic = address === '/v1/messages'
      expect(Object.keys(responses['500']?.content ?? {}), address).toEqual([
        isAnthropic ? 'application/json' : 'application/problem+json',
      ])
    }
  }
})

interface Described {
  readonly responses: Readonly<Record<string, { readonly content: object }>>
}
