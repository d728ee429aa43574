import { describe, expect, it } from 'vitest'
import { findCutPoint } from '../../../src/domain/compaction/cut-point.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

/** Ids of the first kept entry and of the start of the split turn. */
function cutOf(builder: SessionBuilder, keepTokens: number, dropEntryId: string | null = null) {
  const live = builder.live()
  const cut = findCutPoint(live, keepTokens, dropEntryId)
  if (cut === null) return null
  return { first: live.path[cut.firstKept]?.id, turn: live.path[cut.turnStart]?.id }
}

describe('findCutPoint', () => {
  it('takes the oldest point whose suffix fits, exactly fitting included', () => {
    const builder = new SessionBuilder()
    const turns = builder.turns(5)
    expect(cutOf(builder, 2500)).toEqual({ first: turns[3]?.user, turn: undefined })
    expect(cutOf(builder, 3000)).toEqual({ first: turns[2]?.user, turn: undefined })
    expect(cutOf(builder, 2999)).toEqual({ first: turns[2]?.assistant, turn: turns[2]?.user })
  })

  it('keeps the newest group even when it alone is larger, and never cuts at a tool result', () => {
    const builder = new SessionBuilder()
    builder.turns(2)
    const ask = builder.user('run it')
    const [call] = builder.tool('c1', text(5000))
    expect(cutOf(builder, 1000)).toEqual({ first: call, turn: ask })
  })

  it('keeps parallel calls and all their results together', () => {
    const builder = new SessionBuilder()
    builder.turns(1)
    const ask = builder.user('three')
    builder.assistant('now', [
      { id: 'a', name: 'grep' },
      { id: 'b', name: 'grep' },
    ])
    builder.result('a', text(400))
    builder.result('b', text(400))
    const end = builder.assistant(text(100))
    expect(cutOf(builder, 700)).toEqual({ first: end, turn: ask })
  })

  it('does not cut between a call and a late result, padded ids included', () => {
    const builder = new SessionBuilder()
    builder.turns(1)
    builder.user('start')
    const call = builder.assistant('', [
      { id: ' x1', name: 'bash' },
      { id: 'x2', name: 'bash' },
    ])
    builder.result('x2', text(300))
    builder.user(text(100, 'steer'))
    builder.result('x1', text(300))
    expect(cutOf(builder, 500)?.first).toBe(call)
  })

  it('ties a result to the newest call of its id', () => {
    const builder = new SessionBuilder()
    builder.tool('call_0', text(100))
    builder.user(text(100, 'next'))
    const [second] = builder.tool('call_0', text(100))
    expect(cutOf(builder, 110)?.first).toBe(second)
  })

  it('does not cut off a result whose call the previous compaction kept', () => {
    const builder = new SessionBuilder()
    builder.user(text(900))
    const call = builder.assistant('', [{ id: 'c', name: 'bash' }])
    builder.compaction('story', call)
    builder.result('c', text(100))
    expect(cutOf(builder, 10)).toBeNull()
    const next = builder.user(text(100))
    expect(cutOf(builder, 500)?.first).toBe(next)
  })

  it('lets metadata directly before the cut join the kept side without splitting the turn', () => {
    const builder = new SessionBuilder()
    builder.turns(3)
    const first = builder.add({ type: 'model_change', model: 'a/b' })
    builder.add({ type: 'hologram' })
    builder.branchSummary('')
    builder.turns(1, 'last')
    expect(cutOf(builder, 1500)).toEqual({ first, turn: undefined })
  })

  it('stops absorbing at what makes a message, at a boundary and at the window', () => {
    const builder = new SessionBuilder()
    builder.turns(2)
    builder.custom(text(600))
    const after = builder.add({ type: 'label' })
    builder.turns(1, 'last')
    expect(cutOf(builder, 1200)?.first).toBe(after)
    const compacted = new SessionBuilder()
    const [turn] = compacted.turns(1)
    compacted.compaction('story', turn?.user ?? '')
    const label = compacted.add({ type: 'label' })
    compacted.turns(1)
    expect(cutOf(compacted, 1200)).toEqual({ first: label, turn: undefined })
  })

  it.each([
    ['bash execution', (builder: SessionBuilder) => builder.bash('npm test', text(498))],
    ['custom_message', (builder: SessionBuilder) => builder.custom(text(500))],
    ['branch_summary', (builder: SessionBuilder) => builder.branchSummary(text(500))],
  ])('begins a turn at a %s, which weighs', (_name, add) => {
    const builder = new SessionBuilder()
    builder.turns(2)
    const start = add(builder)
    const reply = builder.assistant(text(400))
    expect(cutOf(builder, 950)).toEqual({ first: start, turn: undefined })
    expect(cutOf(builder, 700)).toEqual({ first: reply, turn: start })
  })

  it.each([
    ['developer', { content: text(300) }],
    ['pythonExecution', { code: text(100), output: text(200) }],
    ['custom', { content: text(300) }],
    ['branchSummary', { summary: text(300) }],
    ['fileMention', { files: [{ path: 'a', content: text(300) }] }],
  ])('cuts at a %s message, which begins no turn', (role, fields) => {
    const builder = new SessionBuilder()
    builder.turns(1)
    const ask = builder.user('go')
    builder.assistant(text(600))
    const point = builder.message({ role, ...fields })
    builder.assistant(text(100))
    expect(cutOf(builder, 550)).toEqual({ first: point, turn: ask })
  })

  it('looks for the start of the turn on into what the previous compaction kept', () => {
    const builder = new SessionBuilder()
    builder.turns(1)
    const ask = builder.user('long job')
    builder.assistant(text(500))
    builder.compaction('story', ask)
    builder.assistant(text(900))
    const last = builder.assistant(text(900))
    expect(cutOf(builder, 1000)).toEqual({ first: last, turn: ask })
  })

  it('reports no split when no live turn has a start', () => {
    const builder = new SessionBuilder()
    builder.assistant(text(900))
    const last = builder.assistant(text(900))
    expect(cutOf(builder, 1000)).toEqual({ first: last, turn: undefined })
  })

  it('treats a dropped answer as absent and an empty one as no place to cut', () => {
    const builder = new SessionBuilder()
    const [, turn] = builder.turns(2)
    const failed = builder.assistant(text(100), [], { stopReason: 'error' })
    expect(cutOf(builder, 50, failed)?.first).toBe(turn?.assistant)
    builder.assistant('', [], { stopReason: 'aborted' })
    expect(cutOf(builder, 50)?.first).toBe(failed)
  })

  it('finds nothing in metadata alone', () => {
    const builder = new SessionBuilder()
    builder.add({ type: 'label' })
    expect(cutOf(builder, 10)).toBeNull()
  })
})
