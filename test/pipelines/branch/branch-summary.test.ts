import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../../src/domain/errors.ts'
import { pathTo } from '../../../src/domain/session/path.ts'
import { render } from '../../../src/domain/text/render.ts'
import { branchSummaryResult } from '../../../src/pipelines/branch/branch-schema.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { completionOf } from '../../support/fake-model.ts'
import { fork, navigate } from '../../support/navigate.ts'
import { blockOf, instructionsOf, NOW_MS, pipelineWorld, prompts } from '../../support/pipeline-world.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

const PREAMBLE = prompts['branch-summary-preamble']

async function codeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'no error',
    (error: unknown) => (error instanceof RecapdError ? error.code : String(error)),
  )
}

describe('branchSummary', () => {
  it('tells the abandoned side alone and hangs the entry at the target', async () => {
    const { entries, b, c, d, f } = fork()
    const world = pipelineWorld()
    const result = await navigate(world, { entries: deepFreeze(entries), oldLeafId: d, targetId: f })
    expect(branchSummaryResult.safeParse(result).error).toBeUndefined()
    expect(result).toMatchObject({ summarized: true, method: 'model', degraded: false, editorText: null, warnings: [] })
    expect(result.entry).toEqual({
      type: 'branch_summary',
      id: 'c0000000',
      parentId: f,
      timestamp: new Date(NOW_MS).toISOString(),
      fromId: f,
      summary: expect.stringContaining(`${PREAMBLE}## Goal\nplain work HISTORY`),
      details: { readFiles: [], modifiedFiles: [] },
    })
    expect(PREAMBLE.endsWith('\n\n')).toBe(true)
    expect(result.newLeafId).toBe(result.entry?.id)
    expect(result.collected).toMatchObject({ commonAncestorId: b, entryIds: [c, d], includedEntryIds: [c, d] })
    const [asked, ...more] = world.asked
    expect(more).toEqual([])
    expect(asked).toMatchObject({ maxTokens: 2048, expects: 'headings', system: prompts['summarization-system'] })
    const conversation = blockOf(asked?.prompt ?? '', 'conversation')
    expect(conversation).toMatch(/^\[User\]: left ask\n\n\[Assistant\]: left answer/)
    expect(conversation).not.toMatch(/root|other/)
    expect(instructionsOf(asked?.prompt ?? '')).toBe(render(prompts['branch-summary'], { budget: 1000 }))
    expect(world.facts).toEqual([
      { kind: 'branch', reason: 'navigation', result: 'summarized', tokensBefore: result.collected.totalTokens },
    ])
    expect(result.calls).toMatchObject([{ kind: 'branch', model: 'alpha/small' }])
    expect(result.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 })
  })

  it('moves the leaf to the parent of a message that can be typed again, to null before the first entry', async () => {
    const { entries, a, b, d, e } = fork()
    const ask = { entries, oldLeafId: d, summarize: false }
    expect(await navigate(pipelineWorld(), { ...ask, targetId: e })).toMatchObject({
      summarized: false,
      reason: 'not-asked',
      entry: null,
      newLeafId: b,
      editorText: 'other ask',
      collected: { entryIds: { length: 2 } },
    })
    expect(await navigate(pipelineWorld(), { ...ask, targetId: a })).toMatchObject({ newLeafId: null })
    const summed = await navigate(pipelineWorld(), { entries, oldLeafId: d, targetId: a })
    expect(summed).toMatchObject({ entry: { parentId: null, fromId: 'root' }, editorText: 'root ask' })
  })

  it('stays where it is when the target is the leaf, even a user message', async () => {
    const { entries, e } = fork()
    const result = await navigate(pipelineWorld(), { entries, oldLeafId: e, targetId: e })
    expect(result).toMatchObject({ summarized: false, reason: 'nothing-to-summarize', newLeafId: e, editorText: null })
  })

  it('asks no model when nothing abandoned says anything', async () => {
    const { builder, entries, b, d, f } = fork()
    const label = builder.at(b).add({ type: 'label', targetId: b })
    builder.at(f).add({ type: 'custom', customType: 'note' })
    const world = pipelineWorld()
    for (const [oldLeafId, entryIds] of [
      [b, []],
      [null, []],
      [label, [label]],
    ] as const) {
      const result = await navigate(world, { entries, oldLeafId, targetId: f })
      expect(result).toMatchObject({ summarized: false, reason: 'nothing-to-summarize', entry: null, newLeafId: f })
      expect(result.collected.entryIds).toEqual(entryIds)
    }
    expect(await navigate(world, { entries, oldLeafId: d, targetId: f, dryRun: true })).toMatchObject({
      reason: 'dry-run',
      entry: null,
      prompts: [{ kind: 'branch', model: 'alpha/small', tokens: expect.any(Number) }],
    })
    expect(world.asked).toEqual([])
  })

  it('says what the budget left out, and keeps its files and facts all the same', async () => {
    const builder = new SessionBuilder()
    const root = builder.user('root')
    const first = builder.user('Never touch the vendor folder. Please rework the parser.')
    builder.assistant('', [{ id: 'w', name: 'write', arguments: { path: 'src/early.ts' } }])
    builder.result('w', 'ok')
    builder.assistant(text(900, 'long'))
    const old = builder.assistant(text(900, 'newest'))
    const target = builder.at(root).assistant('elsewhere')
    const body = { entries: builder.rows, oldLeafId: old, targetId: target, contextWindow: 20_000 }
    const result = await navigate(pipelineWorld(), { ...body, settings: { reserveTokens: 18_800 } })
    expect(result.collected).toMatchObject({ tokenBudget: 1200, totalTokens: 900, includedEntryIds: [old] })
    expect(result.collected.entryIds[0]).toBe(first)
    expect(result.warnings).toEqual([expect.stringContaining('oldest 4 of the abandoned entries')])
    expect(result.entry?.details).toEqual({ readFiles: [], modifiedFiles: ['src/early.ts'] })
    expect(result.entry?.summary).toContain('Never touch the vendor folder')
    expect(result.entry?.summary).toMatch(/<modified-files>\nsrc\/early\.ts\n<\/modified-files>$/)
    expect(result.audit?.restored.map(({ kind }) => kind)).toContain('constraint')
  })

  it('bends a reserve that nobody set to a small window, and warns of one that somebody did', async () => {
    const { entries, d, f } = fork()
    const small = { id: 'alpha/small', contextWindow: 8_000 }
    const world = pipelineWorld({ candidate: small })
    const deps = { ...world.deps, defaults: { ...world.deps.defaults, branchReserveTokens: undefined } }
    const body = { entries, oldLeafId: d, targetId: f }
    const bent = await navigate({ ...world, deps }, body)
    expect([bent.collected.tokenBudget, bent.warnings]).toEqual([6_800, []])
    const told = await navigate(world, { ...body, settings: { reserveTokens: 9_000 } })
    expect(told.collected.tokenBudget).toBe(6_800)
    expect(told.warnings).toEqual([expect.stringContaining('reserveTokens 9000')])
  })

  it('takes the caller\u2019s instructions in place of ours and then asks for no headings', async () => {
    const { entries, d, f } = fork()
    const world = pipelineWorld({ reply: () => 'two plain lines' })
    const result = await navigate(world, { entries, oldLeafId: d, targetId: f, customInstructions: 'only what broke' })
    expect(instructionsOf(world.asked[0]?.prompt ?? '')).toBe('only what broke')
    expect(world.asked[0]?.expects).toBe('text')
    expect(result.entry?.summary.startsWith(`${PREAMBLE}two plain lines`)).toBe(true)
    await navigate(world, { entries, oldLeafId: d, targetId: f, customInstructions: ' \n' })
    expect(world.asked[1]?.expects).toBe('headings')
  })

  it('redacts what goes out and what comes back', async () => {
    const key = `sk-${'a1B2'.repeat(10)}`
    const { builder, entries, d, f } = fork()
    const old = builder.at(d).user(`my key is ${key}`)
    const world = pipelineWorld({ reply: () => `## Goal\nuse ${key}` })
    const body = { entries, oldLeafId: old, targetId: f, customInstructions: `think of ${key}` }
    const result = await navigate(world, body)
    expect(world.asked[0]?.prompt).toContain('my key is')
    expect(world.asked[0]?.prompt).not.toContain(key)
    expect(JSON.stringify(result)).not.toContain(key)
  })

  it('tells of each tool result one line: what came of the call', async () => {
    const { builder, entries, d, f } = fork()
    builder.at(d).assistant('both', [
      { id: 'b1', name: 'bash' },
      { id: 'b2', name: 'bash' },
    ])
    builder.result('b1', 'PLAIN OUTPUT')
    const old = builder.result('b2', 'ENOENT: x.cfg\nSTACK', { isError: true })
    const world = pipelineWorld()
    await navigate(world, { entries, oldLeafId: old, targetId: f })
    expect(world.asked[0]?.prompt).toContain('[Tool result]: → ok\n\n[Tool error]: → failed: ENOENT: x.cfg')
    expect(world.asked[0]?.prompt).not.toMatch(/PLAIN OUTPUT|STACK|interrupted/)
  })

  it('replaces file tags that the model copied and takes the lists of nested summaries of ours alone', async () => {
    const { builder, entries, d, f } = fork()
    builder.at(d).branchSummary('inner', { details: { readFiles: ['r.ts'], modifiedFiles: ['m.ts'] } })
    const old = builder.branchSummary('foreign', { fromExtension: true, details: { modifiedFiles: ['foreign.ts'] } })
    const world = pipelineWorld({ reply: () => '## Goal\nx\n\n<modified-files>\nold.ts\n</modified-files>' })
    const { entry } = await navigate(world, { entries, oldLeafId: old, targetId: f })
    expect(entry?.details).toEqual({ readFiles: ['r.ts'], modifiedFiles: ['m.ts'] })
    expect(entry?.summary).not.toMatch(/old\.ts|foreign\.ts/)
    expect(entry?.summary.match(/<modified-files>/g)).toHaveLength(1)
  })

  it('says degraded and method as the completion does', async () => {
    const { entries, d, f } = fork()
    const reply = () => completionOf('recapd/extractive', '## Goal\nx', { degraded: true, method: 'extractive' })
    const result = await navigate(pipelineWorld({ reply }), { entries, oldLeafId: d, targetId: f })
    expect(result).toMatchObject({ degraded: true, method: 'extractive', summarized: true })
  })

  it('refuses unknown ids and broken trees', async () => {
    const { builder, entries, c, d, f } = fork()
    const code = (body: object) => codeOf(navigate(pipelineWorld(), { entries, oldLeafId: d, targetId: f, ...body }))
    expect(await code({ targetId: 'nobody' })).toBe('unknown-target')
    expect(await code({ oldLeafId: 'nobody' })).toBe('unknown-leaf')
    expect(await code({ entries: entries.map((row) => (row['id'] === c ? { ...row, parentId: d } : row)) })).toBe(
      'broken-tree',
    )
    expect(await code({ entries: builder.rows.slice(0, 1) })).toBe('no-entries')
    expect(await code({ oldLeafId: undefined })).toBe('invalid-request')
  })

  it('passes a failure and an abort on and counts nothing', async () => {
    const { entries, d, f } = fork()
    const body = { entries, oldLeafId: d, targetId: f }
    const failed = pipelineWorld({
      reply: () => {
        throw new RecapdError('models-failed', 'All of them failed.')
      },
    })
    expect(await codeOf(navigate(failed, body))).toBe('models-failed')
    const gone = new RecapdError('client-closed', 'gone')
    const hanging = pipelineWorld({
      reply: (_kind, _request, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    const controller = new AbortController()
    const run = navigate(hanging, body, { signal: controller.signal })
    controller.abort(gone)
    expect(await codeOf(run)).toBe('client-closed')
    expect([...failed.facts, ...hanging.facts]).toEqual([])
  })

  it('never tells anything of another branch, whatever the tree', async () => {
    const choices = fc.array(fc.nat(), { minLength: 2, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(choices, fc.nat(), fc.nat(), async (list, one, other) => {
        const builder = new SessionBuilder()
        const ids: string[] = []
        for (const choice of list) {
          builder.at(choice % 7 === 0 ? null : (ids[choice % Math.max(1, ids.length)] ?? null))
          ids.push(builder.assistant(`said <${ids.length}>`))
        }
        const [oldLeafId = '', targetId = ''] = [ids[one % ids.length], ids[other % ids.length]]
        const world = pipelineWorld()
        const result = await navigate(world, { entries: builder.rows, oldLeafId, targetId })
        const session = builder.read()
        const kept = new Set(pathTo(session, targetId).map(({ id }) => id))
        const wanted = pathTo(session, oldLeafId).flatMap(({ id }) => (kept.has(id) ? [] : [id]))
        expect(result.collected.entryIds).toEqual(wanted)
        const told = [...(world.asked[0]?.prompt ?? '').matchAll(/said <(\d+)>/g)].map(([, n]) => ids[Number(n)])
        expect(told).toEqual(wanted)
        expect(result.summarized).toBe(wanted.length > 0)
      }),
      { seed: 51, numRuns: 200 },
    )
  })
})
