import { describe, expect, it } from 'vitest'
import { liveTokens } from '../../../src/domain/compaction/measured-usage.ts'
import {
  applyPruning,
  DEFAULT_PRUNE,
  NOTHING_PRUNED,
  pruneToolOutputs,
} from '../../../src/domain/compaction/prune-entries.ts'
import { liveRegion } from '../../../src/domain/session/live.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

let calls = 0
function tool(builder: SessionBuilder, tokens: number, toolName = 'bash'): string {
  calls += 1
  return builder.tool(`call${calls}`, text(tokens), { toolName })[1]
}
const prune = (builder: SessionBuilder, settings = {}) =>
  pruneToolOutputs(builder.live().path, { ...DEFAULT_PRUNE, ...settings })
const idsOf = (builder: SessionBuilder, settings = {}) => prune(builder, settings).entries.map((entry) => entry.id)

describe('pruneToolOutputs', () => {
  it('spares the newest 40 000 tokens and takes what is older', () => {
    const builder = new SessionBuilder()
    const ids = Array.from({ length: 8 }, () => tool(builder, 10_000))
    expect(prune(builder)).toMatchObject({ count: 4, tokensSaved: 4 * (10_000 - 9) })
    expect(idsOf(builder)).toEqual(ids.slice(0, 4))
    expect(prune(builder).entries[0]).toMatchObject({ tokens: 10_000, text: '[Output truncated - 10000 tokens]' })
  })

  it('changes nothing when too little would be saved', () => {
    const builder = new SessionBuilder()
    for (let index = 0; index < 6; index += 1) tool(builder, 9900)
    expect(prune(builder)).toEqual(NOTHING_PRUNED)
  })

  it('spares the result that crosses the line', () => {
    const builder = new SessionBuilder()
    const ids = [500, 400, 400, 400].map((tokens) => tool(builder, tokens))
    expect(idsOf(builder, { protectTokens: 1000, minimumSavings: 100 })).toEqual([ids[0]])
  })

  it('never prunes read and skill, in any spelling, but counts them as recent output', () => {
    const builder = new SessionBuilder()
    const old = tool(builder, 3000)
    tool(builder, 3000, 'Read')
    tool(builder, 3000, 'skill')
    expect(idsOf(builder, { protectTokens: 5000, minimumSavings: 1000 })).toEqual([old])
    expect(idsOf(builder, { protectTokens: 0, minimumSavings: 1000 })).toEqual([old])
  })

  it('leaves results under 50 tokens and pruned ones alone', () => {
    const builder = new SessionBuilder()
    tool(builder, 49)
    builder.tool('done', text(5000), { prunedAt: 1 })
    const big = tool(builder, 4000)
    tool(builder, 4000)
    expect(idsOf(builder, { protectTokens: 3000, minimumSavings: 100 })).toEqual([big])
  })

  it('goes back to what the last compaction kept and no further', () => {
    const builder = new SessionBuilder()
    tool(builder, 5000)
    const [call, carried] = builder.tool('carried', text(5000))
    builder.compaction('earlier', call)
    const big = tool(builder, 5000)
    tool(builder, 5000)
    expect(idsOf(builder, { protectTokens: 4000, minimumSavings: 1000 })).toEqual([carried, big])
  })
})

describe('applyPruning', () => {
  const builder = new SessionBuilder()
  for (let index = 0; index < 4; index += 1) tool(builder, 5000)
  const path = deepFreeze(builder.live().path)
  const settings = { ...DEFAULT_PRUNE, protectTokens: 6000, minimumSavings: 1000 }
  const pruned = pruneToolOutputs(path, settings)
  const after = applyPruning(path, pruned, 1767225600000)

  it('replaces the content, sets prunedAt, and shares every other entry', () => {
    expect(after[1]?.message).toMatchObject({
      content: [{ type: 'text', text: '[Output truncated - 5000 tokens]' }],
      prunedAt: 1767225600000,
    })
    expect(after.filter((entry, index) => entry !== path[index])).toHaveLength(pruned.count)
  })

  it('saves exactly the tokens it says', () => {
    expect(liveTokens(liveRegion(path)) - liveTokens(liveRegion(after))).toBe(pruned.tokensSaved)
  })

  it('leaves nothing to prune a second time', () => {
    expect(pruneToolOutputs(after, settings)).toEqual(NOTHING_PRUNED)
    expect(applyPruning(path, NOTHING_PRUNED, 1)).toBe(path)
  })
})
