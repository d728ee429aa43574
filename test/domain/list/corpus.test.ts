import { describe, expect, it } from 'vitest'
import { fileLists } from '../../../src/domain/conversation/file-lists.ts'
import { parseMessages } from '../../../src/domain/dialects/parse-messages.ts'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { assembleList } from '../../../src/domain/list/assemble/assemble-list.ts'
import { fallbackSummary } from '../../../src/domain/list/fallback-summary.ts'
import { planList } from '../../../src/domain/list/plan/plan-list.ts'
import { upsertToolFacts } from '../../../src/domain/list/tool-facts.ts'
import { requestOverhead } from '../../../src/domain/tokens/chat-tokens.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'
import { brokenInvariants } from '../../support/chat-invariants.ts'
import { inputOf } from '../../support/chat-lists.ts'
import { CORPUS_NOTE, hasCorpus } from '../../support/corpus.ts'
import { recordedLists } from '../../support/recorded-lists.ts'

describe.skipIf(!hasCorpus)(`public trajectories (${CORPUS_NOTE})`, () => {
  const lists = recordedLists()

  it.each(lists.map((list) => [list.name, list] as const))('%s compacts to a valid list', (_name, list) => {
    const before = JSON.stringify(list.messages)
    const tokens = requestOverhead(list)
    const input = inputOf(list.messages, {
      window: 40_000 + tokens,
      budget: { threshold: 0.3 },
      system: list.system,
      tools: list.tools,
    })
    expect(input.format).toBe(list.format)
    const plan = planList(input)
    expect(JSON.stringify(list.messages)).toBe(before)
    if (plan.kind !== 'plan') {
      // Short ones may hold nothing to fold; long ones may not.
      expect(plan.kind === 'pruned' || plan.tokensBefore - tokens < 12_000 || list.messages.length < 10).toBe(true)
      return
    }
    const conversation = rowsToConversation(plan.rowsToSummarize)
    const count = plan.rowsToSummarize.length
    const bare = fallbackSummary({ conversation, count, previousSummary: plan.previousSummary, reason: 'test' })
    expect(bare.length).toBeLessThanOrEqual(8000)
    expect(serialize(conversation)).not.toBe('')
    fileLists(conversation)
    const made = assembleList(plan, { text: upsertToolFacts(bare, conversation, plan.previousSummary), bare })
    if (made.kind === 'rejected') {
      expect(plan.tokensReplaced).toBeLessThan(4000)
      return
    }
    expect(brokenInvariants(made.messages, list.format)).toEqual([])
    expect(made.validity.pairs && made.validity.alternation).toBe(true)
    // A second pass over what the first gave out has nothing to do, also without its state (docs/bug-log.md T11).
    expect(planList({ ...input, ...parseMessages(made.messages, input.format) }).kind).not.toBe('plan')
  })

  it('most of them are really compacted, and what is kept comes back as the same objects', () => {
    let made = 0
    for (const list of lists) {
      const plan = planList(
        inputOf(list.messages, { window: 20_000, prune: false, system: list.system, tools: list.tools }),
      )
      if (plan.kind !== 'plan') continue
      const out = assembleList(plan, { text: 'short', bare: 'short' })
      if (out.kind !== 'compacted') continue
      made += 1
      const given = new Set(list.messages)
      const same = out.messages.filter((message) => given.has(message)).length
      // All but the summary's row, a system prompt with its note, and rows that were mended.
      expect(out.messages.length - same).toBeLessThanOrEqual(3 + out.validity.repaired.length)
    }
    expect(made).toBeGreaterThan(20)
  })
})
