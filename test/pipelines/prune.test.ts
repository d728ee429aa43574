import { describe, expect, it } from 'vitest'
import { prune } from '../../src/pipelines/prune.ts'
import { pruneRequest } from '../../src/pipelines/prune-schema.ts'
import { parseRequest } from '../../src/requests/parse-request.ts'
import { deepFreeze } from '../support/deep-freeze.ts'
import { CONTEXT, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder, text } from '../support/session-builder.ts'

const ask = (body: object) =>
  prune({ request: parseRequest(pruneRequest, body), context: CONTEXT, deps: pipelineWorld().deps })

function work(count: number, tokens: number) {
  const session = new SessionBuilder()
  session.user('work')
  const results = Array.from({ length: count }, (_, n) => session.tool(`c${n}`, text(tokens))[1])
  return { session, results }
}

describe('prune', () => {
  it('lists what can go with its placeholder, oldest first, and changes nothing', () => {
    const { session, results } = work(8, 10_000)
    const entries = deepFreeze(structuredClone(session.rows))
    const placeholder = '[Output truncated - 10000 tokens]'
    expect(ask({ entries })).toEqual({
      source: 'pi',
      count: 4,
      tokensSaved: 4 * (10_000 - Math.ceil(placeholder.length / 4)),
      entries: results.slice(0, 4).map((id) => ({ id, text: placeholder, tokens: 10_000 })),
      warnings: [],
    })
    expect(entries).toEqual(session.rows)
  })

  it('applied, it finds nothing more', () => {
    const { session } = work(8, 10_000)
    const pruned = new Map(ask({ entries: session.rows }).entries.map(({ id, text: told }) => [id, told]))
    const entries = session.rows.map((row) => {
      const told = pruned.get(String(row['id']))
      if (told === undefined) return row
      return {
        ...row,
        message: { ...(row['message'] as object), content: [{ type: 'text', text: told }], prunedAt: 1 },
      }
    })
    expect(ask({ entries })).toMatchObject({ count: 0, tokensSaved: 0, entries: [] })
  })

  it('takes its settings one by one, the others by default', () => {
    const { session, results } = work(4, 3000)
    expect(ask({ entries: session.rows }).count).toBe(0)
    expect(ask({ entries: session.rows, protectTokens: 3000 }).count).toBe(0)
    const ids = ask({ entries: session.rows, protectTokens: 3000, minimumSavings: 1000 }).entries.map(({ id }) => id)
    expect(ids).toEqual(results.slice(0, 3))
    const spared = ask({ entries: session.rows, protectTokens: 0, minimumSavings: 0, protectedTools: ['BASH'] })
    expect(spared.count).toBe(0)
  })

  it('looks at the asked leaf alone', () => {
    const { session, results } = work(2, 3000)
    const body = { entries: session.rows, protectTokens: 0, minimumSavings: 0 }
    expect(ask({ ...body, leafId: results[0] }).count).toBe(1)
    expect(() => ask({ ...body, leafId: 'nosuchid' })).toThrow(expect.objectContaining({ code: 'unknown-leaf' }))
  })

  it('hands on what reading had to skip', () => {
    const { session } = work(1, 10)
    const result = prune({
      request: parseRequest(pruneRequest, { entries: session.rows }),
      context: { ...CONTEXT, readWarnings: ['2 lines'] },
      deps: pipelineWorld().deps,
    })
    expect(result.warnings).toEqual(['2 lines'])
  })
})
