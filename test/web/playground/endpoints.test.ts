import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { playgroundEndpointsText } from '../../../scripts/write-playground-endpoints.ts'
import { ENDPOINTS } from '../../../src/requests/endpoints.ts'
import { webModule } from '../../support/web-module.ts'

interface Tried {
  readonly path: string
  readonly streams: boolean
  readonly takes: readonly string[]
}

const { ENDPOINTS: TRIED } = await webModule<{ ENDPOINTS: Readonly<Record<string, Tried>> }>('playground/endpoints.js')

describe('the endpoints of the playground', () => {
  it('endpoint-table.js is what scripts/write-playground-endpoints.ts writes', () => {
    const file = new URL('../../../src/web/playground/endpoint-table.js', import.meta.url)
    expect(readFileSync(file, 'utf8')).toBe(playgroundEndpointsText())
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
