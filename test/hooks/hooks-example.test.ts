import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { loadHooks } from '../../src/hooks/load-hooks.ts'
import { silentPipelineObserver } from '../../src/hooks/pipeline-observer.ts'
import { fork, navigate } from '../support/navigate.ts'
import { blockOf, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder } from '../support/session-builder.ts'

const hooks = await loadHooks(path.resolve(import.meta.dirname, '../../examples/hooks.ts'), silentPipelineObserver)
const folder = mkdtempSync(path.join(tmpdir(), 'recapd-example-'))
const file = path.join(folder, 'compactions.jsonl')
vi.stubEnv('COMPACTIONS_FILE', file)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function talk() {
  const builder = new SessionBuilder()
  builder.user('Please mend PARSER-12 before OPS-7.')
  builder.turns(4)
  return builder
}

const settings = { keepRecentTokens: 1500 }

it('examples/hooks.ts keeps every word while a release runs', async () => {
  const builder = talk()
  builder.add({ type: 'custom', customType: 'release', data: { state: 'running' } })
  builder.turns(1)
  const during = await pipelineWorld({ hooks }).session({ entries: builder.rows, settings })
  expect(during).toMatchObject({ compacted: false, reason: 'cancelled-by-hook' })
  builder.add({ type: 'custom', customType: 'release', data: { state: 'done' } })
  builder.turns(1)
  expect(await pipelineWorld({ hooks }).session({ entries: builder.rows, settings })).toMatchObject({ compacted: true })
})

it('examples/hooks.ts names tickets, stores them, and writes numbers down', async () => {
  const world = pipelineWorld({ hooks })
  const { entry, warnings } = await world.session({ entries: talk().rows, settings })
  expect(blockOf(world.prompt('history'), 'additional-context')).toContain('OPS-7, PARSER-12')
  expect(entry?.preserveData).toEqual({ tickets: ['OPS-7', 'PARSER-12'] })
  expect(warnings).toEqual([])
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    timestamp: entry?.timestamp,
    tokensBefore: entry?.tokensBefore,
    fromExtension: false,
  })
})

it('examples/hooks.ts tells an unanswered message itself and leaves other branches to the model', async () => {
  const { entries, b, c, d, f } = fork()
  const world = pipelineWorld({ hooks })
  const own = await navigate(world, { entries, oldLeafId: c, targetId: f })
  expect(own.entry?.summary).toMatch(/got no answer yet: left ask$/)
  expect([own.method, own.collected.commonAncestorId, world.asked]).toEqual(['hook', b, []])
  expect(await navigate(world, { entries, oldLeafId: d, targetId: f })).toMatchObject({ method: 'model', warnings: [] })
})
