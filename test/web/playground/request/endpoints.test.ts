import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { playgroundTables } from '../../../../scripts/write-playground-tables.ts'
import { ENDPOINTS } from '../../../../src/requests/endpoints.ts'
import { webModule } from '../../../support/web-module.ts'

interface Tried {
  readonly path: string
  readonly streams: boolean
  readonly takes: readonly string[]
}

const { ENDPOINTS: TRIED } = await webModule<{ ENDPOINTS: Readonly<Record<string, Tried>> }>(
  'playground/request/endpoints.js',
)

describe('the endpoints of the playground', () => {
  it.each(Object.entries(playgroundTables()))('%s is what scripts/write-playground-tables.ts writes', (name, text) => {
    const file = new URL(`../../../../src/web/playground/${name}`, import.meta.url)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each(['compact', 'summarize', 'branch-summary', 'check', 'prune', 'context'] as const)(
    '%s: the path of the table, events where it streams, and files where it takes them',
    (name) => {
      const { path, events, ndjson } = ENDPOINTS[name]
      expect(TRIED[name]).toMatchObject({ path, streams: events === 'named' })
      expect(TRIED[name]?.takes.includes('session')).toBe(ndjson)
    },
  )
})
