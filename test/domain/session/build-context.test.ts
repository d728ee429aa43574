import { describe, expect, it } from 'vitest'
import { buildContext, withoutNativeReplay } from '../../../src/domain/session/build-context.ts'
import { joinedText } from '../../../src/domain/session/content.ts'
import { pathTo } from '../../../src/domain/session/path.ts'
import { SessionBuilder } from '../../support/session-builder.ts'

const contextOf = (builder: SessionBuilder, leafId?: string) => buildContext(pathTo(builder.read(), leafId))
const told = (builder: SessionBuilder) =>
  contextOf(builder).messages.map((message) => message.summary ?? joinedText(message.content))

describe('buildContext', () => {
  it('puts the summary first, then what it kept, then the rest', () => {
    const builder = new SessionBuilder()
    builder.user('lost')
    const kept = builder.user('kept')
    builder.compaction('story', kept, { shortSummary: 'short', tokensBefore: 777 })
    builder.user('after')
    expect(told(builder)).toEqual(['story', 'kept', 'after'])
    expect(contextOf(builder).messages[0]).toMatchObject({
      role: 'compactionSummary',
      shortSummary: 'short',
      tokensBefore: 777,
    })
  })

  it('lets the last compaction win, and keeps nothing for a boundary that is not on the path', () => {
    const builder = new SessionBuilder()
    const first = builder.user('one')
    builder.compaction('first', first)
    builder.user('two')
    builder.compaction('second', 'ffffffff')
    builder.user('three')
    expect(told(builder)).toEqual(['second', 'three'])
  })

  it('shows nothing before a reset boundary, a summary there included', () => {
    const builder = new SessionBuilder()
    const first = builder.user('before')
    builder.compaction('old', first)
    builder.add({ type: 'reset_boundary' })
    builder.user('behind')
    expect(told(builder)).toEqual(['behind'])
  })

  it('stops what a compaction kept at a reset boundary between', () => {
    const builder = new SessionBuilder()
    const first = builder.user('before')
    builder.add({ type: 'reset_boundary' })
    builder.user('behind')
    builder.compaction('story', first)
    expect(told(builder)).toEqual(['story', 'behind'])
  })

  it('tells branch summaries and custom messages, and no other entry', () => {
    const builder = new SessionBuilder()
    builder.user('go')
    builder.branchSummary('tried threads')
    builder.branchSummary('')
    builder.custom('mind the gap')
    builder.add({ type: 'hologram', payload: 1 })
    expect(contextOf(builder).messages.map((message) => message.role)).toEqual(['user', 'branchSummary', 'custom'])
  })

  it.each([
    ['the last answer', (builder: SessionBuilder) => builder.assistant('a'), 'fake/fake-1'],
    ['a later model change', (builder: SessionBuilder) => builder.add({ type: 'model_change', model: 'x/y' }), 'x/y'],
    [
      'an old model change',
      (builder: SessionBuilder) => builder.add({ type: 'model_change', provider: 'p', modelId: 'm' }),
      'p/m',
    ],
    ['nobody', (builder: SessionBuilder) => builder.add({ type: 'model_change', model: 'x/y', role: 'plan' }), null],
  ])('reads the model from %s', (_name, add, model) => {
    const builder = new SessionBuilder()
    builder.user('go')
    add(builder)
    expect(contextOf(builder).model).toBe(model)
  })

  it('keeps the thinking level over a reset, off by default', () => {
    const builder = new SessionBuilder()
    builder.user('go')
    expect(contextOf(builder).thinkingLevel).toBe('off')
    builder.add({ type: 'thinking_level_change', thinkingLevel: 'high' })
    builder.add({ type: 'reset_boundary' })
    builder.user('on')
    expect(contextOf(builder).thinkingLevel).toBe('high')
  })

  it('leaves out a dropped answer', () => {
    const builder = new SessionBuilder()
    builder.user('go')
    const failed = builder.assistant('', [], { stopReason: 'error' })
    const path = pathTo(builder.read())
    expect(buildContext(path, { dropEntryId: failed }).messages).toHaveLength(1)
  })

  it('carries unknown fields of messages along', () => {
    const builder = new SessionBuilder()
    builder.message({ role: 'user', content: 'x', novel: { deep: 1 } })
    expect(contextOf(builder).messages[0]).toMatchObject({ novel: { deep: 1 } })
  })
})

describe('withoutNativeReplay', () => {
  it('drops the replay that a text summary makes stale and keeps the rest', () => {
    expect(withoutNativeReplay({ openaiRemoteCompaction: { provider: 'x' }, plan: 1 })).toEqual({ plan: 1 })
    expect(withoutNativeReplay('odd')).toBeUndefined()
  })
})
