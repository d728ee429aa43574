import { describe, expect, it } from 'vitest'
import { type Entry, isFileLine, makesMessage } from '../../src/domain/session/entry.ts'
import { pathTo } from '../../src/domain/session/path.ts'
import { readSession } from '../../src/domain/session/session.ts'
import { readNdjson } from '../../src/requests/read-ndjson.ts'
import { brokenInvariants, flatText } from '../support/chat-invariants.ts'
import { CORPUS_NOTE, corpusFiles, corpusText, hasCorpus } from '../support/corpus.ts'
import { pipelineWorld, prompts } from '../support/pipeline-world.ts'
import { recordedLists } from '../support/recorded-lists.ts'

const files = corpusFiles('pi', '.jsonl')
const settings = { keepRecentTokens: 1500 }
const PASSES = 3

/** The longest line of a session, as one chain without what compactions and resets of its own time took out. */
function chainOf(name: string): readonly Entry[] {
  const { rows } = readNdjson(corpusText(name))
  const session = readSession(rows.filter((row) => (row as { type: string }).type !== 'reset_boundary'))
  const entries = pathTo(session).filter((entry) => entry.type !== 'compaction' && !isFileLine(entry))
  return entries.map((entry, index) => ({ ...entry, parentId: entries[index - 1]?.id ?? null }))
}

const told = (entries: readonly Entry[]) => new Set(entries.filter(makesMessage).map(({ id }) => id))

describe.skipIf(!hasCorpus)(`recorded sessions (${CORPUS_NOTE})`, () => {
  it.each(files)('%s: three compactions in a row lose nothing', async (name) => {
    const chain = chainOf(name)
    const step = Math.ceil(chain.length / PASSES)
    const gone = new Set<string>()
    let entries: Entry[] = []
    for (let pass = 0; pass < PASSES; pass += 1) {
      const leaf = entries.at(-1)?.id
      const more = chain.slice(pass * step, (pass + 1) * step)
      entries = [...entries, ...more.map((entry, at) => (at === 0 && leaf ? { ...entry, parentId: leaf } : entry))]
      const world = pipelineWorld()
      const result = await world.session({ entries, settings, coverage: true })
      expect(result.plan === undefined || result.plan.coverage?.length === entries.length).toBe(true)
      if (!result.compacted || result.plan === undefined || result.entry === undefined) continue
      const { summarizedEntryIds, turnPrefixEntryIds, keptEntryIds } = result.plan
      for (const id of [...summarizedEntryIds, ...turnPrefixEntryIds]) gone.add(id)
      expect(keptEntryIds.filter((id) => gone.has(id))).toEqual([])
      const all = told(entries.filter(({ type }) => type !== 'compaction'))
      expect([...all].filter((id) => !gone.has(id) && !keptEntryIds.includes(id))).toEqual([])
      const kept = told(entries.filter(({ id }) => keptEntryIds.includes(id)))
      expect(result.context?.messages).toHaveLength(1 + kept.size)
      for (const { prompt } of world.asked) expect(prompt.split('</conversation>')).toHaveLength(2)
      entries = [...entries, result.entry as Entry]
    }
  })

  it('most of them are really compacted, with the file lists carried on', async () => {
    let compacted = 0
    for (const name of files) {
      const result = await pipelineWorld().session({ entries: chainOf(name), settings })
      if (!result.compacted) continue
      compacted += 1
      expect(result.progress.madeProgress).toBe(true)
      expect(result.entry?.summary.match(/<modified-files>/g)?.length ?? 0).toBeLessThanOrEqual(1)
    }
    expect(compacted).toBeGreaterThan(10)
  })
})

describe.skipIf(!hasCorpus)(`public trajectories (${CORPUS_NOTE})`, () => {
  it.each(recordedLists().map((list) => [list.name, list] as const))('%s', async (_name, list) => {
    const { name: _, ...given } = list
    const before = JSON.stringify(given.messages)
    const world = pipelineWorld()
    const result = await world.list({ ...given, contextWindow: 20_000, coverage: true })
    expect(JSON.stringify(given.messages)).toBe(before)
    expect(result.plan?.coverage).toHaveLength(given.messages.length)
    if (!result.compacted) {
      expect(result.messages).toEqual(given.messages)
      return
    }
    expect(result.validity).toMatchObject({ pairs: true, alternation: true })
    expect(result.progress.tokensAfter).toBeLessThan(result.progress.tokensBefore)
    if (result.method === 'prune') return
    expect(brokenInvariants(result.messages, list.format)).toEqual([])
    expect(flatText(result.messages)).toContain(result.summary)
    const asked = world.prompt('list')
    const isUpdate = asked.includes('<previous-summary>')
    expect(asked).toContain(prompts[isUpdate ? 'list-update-summary' : 'list-summary'].slice(0, 200))
  })
})
