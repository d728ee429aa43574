import { describe, expect, it } from 'vitest'
import { collectAbandoned, placementOf, selectWithinBudget } from '../../../src/domain/compaction/branch.ts'
import { branchFileLists } from '../../../src/domain/compaction/plan-file-lists.ts'
import { RecapdError } from '../../../src/domain/errors.ts'
import { joinedText } from '../../../src/domain/session/content.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

/** A - B, then C - D (the old leaf) on one side, E - F on the other. */
function fork() {
  const builder = new SessionBuilder()
  const [a, b] = [builder.user('root'), builder.assistant('yes')]
  const [c, d] = [builder.user('abandoned'), builder.assistant('tried')]
  builder.at(b)
  const [e, f] = [builder.user('other'), builder.assistant('fine')]
  return { builder, session: builder.read(), a, b, c, d, e, f }
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    return error instanceof RecapdError ? error.code : String(error)
  }
  return undefined
}

describe('collectAbandoned', () => {
  const { session, a, b, c, d, e, f } = fork()
  const idsOf = (old: string | null, target: string) => {
    const { commonAncestorId, entries } = collectAbandoned(session, old, target)
    return [commonAncestorId, entries.map((entry) => entry.id)]
  }

  it.each([
    ['between two branches', d, f, [b, [c, d]]],
    ['back to the root', d, a, [a, [b, c, d]]],
    ['down the own branch', b, f, [b, []]],
    ['onto the spot', e, e, [e, []]],
    ['from nowhere', null, f, [null, []]],
  ])('%s', (_name, old, target, expected) => {
    expect(idsOf(old, target)).toEqual(expected)
  })

  it('shares nothing between two roots', () => {
    const { builder, d: old } = fork()
    const other = builder.at(null).user('second root')
    expect(collectAbandoned(builder.read(), old, other)).toMatchObject({
      commonAncestorId: null,
      entries: { length: 4 },
    })
  })

  it('throws for unknown ids and an empty session', () => {
    expect(codeOf(() => collectAbandoned(session, d, 'zzz'))).toBe('unknown-target')
    expect(codeOf(() => collectAbandoned(session, 'zzz', f))).toBe('unknown-leaf')
    expect(codeOf(() => collectAbandoned(new SessionBuilder().read(), null, 'a'))).toBe('no-entries')
  })
})

describe('selectWithinBudget', () => {
  function selected(builder: SessionBuilder, budget: number) {
    return selectWithinBudget(builder.live().path, budget)
  }

  it('takes the newest messages that fit, a full budget included', () => {
    const builder = new SessionBuilder()
    const ids = Array.from({ length: 6 }, () => builder.user(text(1000)))
    expect(selected(builder, 3200)).toMatchObject({ includedEntryIds: ids.slice(3), totalTokens: 3000 })
    expect(selected(builder, 3000).includedEntryIds).toEqual(ids.slice(3))
  })

  it.each([
    [1799, true],
    [1800, false],
  ])('with %i of 2000 used: a summary at the stop is taken: %s', (used, taken) => {
    for (const add of [
      (b: SessionBuilder) => b.branchSummary(text(1500)),
      (b: SessionBuilder) => b.compaction(text(1500), 'x'),
    ]) {
      const builder = new SessionBuilder()
      builder.user(text(10))
      const inner = add(builder)
      const last = builder.user(text(used))
      expect(selected(builder, 2000).includedEntryIds).toEqual(taken ? [inner, last] : [last])
    }
  })

  it('takes the newest message whatever its size', () => {
    const builder = new SessionBuilder()
    builder.user('x')
    const big = builder.user(text(5000))
    expect(selected(builder, 100)).toMatchObject({ includedEntryIds: [big], totalTokens: 5000 })
  })

  it('leaves results out but keeps the first line of their errors', () => {
    const builder = new SessionBuilder()
    const call = builder.assistant('both', [
      { id: 'a', name: 'ls' },
      { id: 'b', name: 'cat' },
    ])
    builder.result('a', 'plain output')
    const failed = builder.result('b', 'ENOENT: x.cfg\nstack line', { isError: true })
    const { includedEntryIds, messages } = selected(builder, 1000)
    expect(includedEntryIds).toEqual([call, failed])
    expect(joinedText(messages[1]?.content)).toBe('ENOENT: x.cfg')
  })

  it('leaves out metadata, excluded commands and empty summaries', () => {
    const builder = new SessionBuilder()
    builder.add({ type: 'label' })
    builder.bash('secret', 'x', { excludeFromContext: true })
    builder.branchSummary('')
    expect(selected(builder, 1000)).toEqual({ includedEntryIds: [], messages: [], totalTokens: 0 })
  })

  it('tells a compaction as its summary', () => {
    const builder = new SessionBuilder()
    builder.compaction('story', 'x')
    expect(selected(builder, 1000).messages).toMatchObject([{ role: 'compactionSummary', summary: 'story' }])
  })
})

describe('placementOf', () => {
  it('moves to the parent of what can be typed again and gives its text back, else to the target', () => {
    const { builder, session, a, b, e, f } = fork()
    expect(placementOf(session, f)).toEqual({ positionId: f, fromId: f, editorText: null })
    expect(placementOf(session, e)).toEqual({ positionId: b, fromId: b, editorText: 'other' })
    expect(placementOf(session, a)).toEqual({ positionId: null, fromId: 'root', editorText: 'root' })
    const custom = builder.at(b).custom('note')
    expect(placementOf(builder.read(), custom)).toEqual({ positionId: b, fromId: b, editorText: 'note' })
  })
})

describe('branchFileLists', () => {
  it('reads every abandoned entry and nested summaries of ours', () => {
    const builder = new SessionBuilder()
    builder.assistant('', [{ id: 'w', name: 'write', arguments: { path: 'early.ts' } }])
    builder.branchSummary('inner', { details: { readFiles: ['r'], modifiedFiles: ['m'] } })
    builder.branchSummary('foreign', { details: { readFiles: ['no'], modifiedFiles: [] }, fromExtension: true })
    builder.compaction('story', 'x', { details: { readFiles: ['before the fork'], modifiedFiles: [] } })
    expect(branchFileLists(builder.live().path)).toEqual({ readFiles: ['r'], modifiedFiles: ['early.ts', 'm'] })
  })
})
