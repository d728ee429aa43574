import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../support/chat-invariants.ts'
import { brokenRules, type Step, tell, WRITERS, type Writer } from '../../support/dialect-writers.ts'
import { pipelineWorld } from '../../support/pipeline-world.ts'
import { stories } from '../../support/stories.ts'

const contextWindow = 8000
const END = '--- END OF CONTEXT SUMMARY'

async function checkList(
  writer: Writer,
  steps: readonly Step[],
  protect: { first: number; last: number },
): Promise<boolean> {
  const messages = deepFreeze(tell(writer, steps))
  const result = await pipelineWorld().list({ messages, contextWindow, force: true, coverage: true, protect })
  const fates = result.plan?.coverage ?? []
  expect(fates.map(({ index }) => index)).toEqual(messages.map((_, index) => index))
  if (!result.compacted || result.method === 'prune') return false
  const out = result.messages as Record<string, unknown>[]
  expect(brokenRules(writer, out)).toEqual([])
  expect(result.validity).toEqual({ pairs: true, alternation: true, repaired: [] })
  // Kept rows are the caller's own, the row that the summary stands in aside.
  const own = out.filter((row) => !JSON.stringify(row).includes(END)).map((row) => JSON.stringify(row))
  const given = new Set(messages.map((row) => JSON.stringify(row)))
  const pruned = fates.some(({ fate }) => fate === 'pruned' || fate === 'clipped')
  if (!pruned) expect(own.filter((row) => !given.has(row))).toEqual([])
  const kept = new Set(
    fates.filter(({ fate }) => fate === 'kept').map(({ index }) => JSON.stringify(messages[index ?? -1])),
  )
  for (const row of kept)
    if (!own.includes(row)) expect(out.filter((each) => JSON.stringify(each).includes(END))).toHaveLength(1)
  const all = JSON.stringify(out)
  for (const { name, path, failed } of steps.flatMap((each) => ('calls' in each ? each.calls : []))) {
    if (name !== 'read_file' && !failed) expect(`${all} ${result.summary}`).toContain(path)
  }
  return true
}

describe.each(Object.entries(WRITERS))('compactMessages on any %s list', (_name, writer) => {
  it('keeps pairs and order valid and kept rows as they came, accounts for every row, and loses no changed file', async () => {
    let compacted = 0
    await fc.assert(
      fc.asyncProperty(stories, fc.nat(4), fc.nat(12), async (steps, first, last) => {
        if (await checkList(writer, steps, { first, last })) compacted += 1
      }),
      { numRuns: 25, seed: 20_261_130, endOnFailure: false },
    )
    expect(compacted).toBeGreaterThan(5)
  })
})
