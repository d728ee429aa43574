import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { assembleList } from '../../../src/domain/chat/assemble-list.ts'
import type { ListFormat } from '../../../src/domain/chat/codec.ts'
import { fallbackSummary } from '../../../src/domain/chat/fallback.ts'
import { planList } from '../../../src/domain/chat/plan-list.ts'
import { upsertToolFacts } from '../../../src/domain/chat/tool-facts.ts'
import { toolUsesOfRows, transcriptOfRows } from '../../../src/domain/chat/transcript-rows.ts'
import { fileLists } from '../../../src/domain/facts/file-operations.ts'
import { requestTokens } from '../../../src/domain/tokens/chat.ts'
import { serialise } from '../../../src/domain/transcript/serialise.ts'
import { brokenInvariants } from '../../support/chat-invariants.ts'
import { inputOf } from '../../support/chat-lists.ts'

const root = process.env['RECAPD_CORPUS'] ?? '../shared/corpus'
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const json = (file: string): Record<string, never> => JSON.parse(text(file)) as Record<string, never>
const lines = (file: string): Record<string, never>[] =>
  text(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)

interface Recorded {
  readonly name: string
  readonly format: ListFormat
  readonly messages: readonly unknown[]
  readonly system?: unknown
  readonly tools?: unknown
}

const OPENAI = [
  'mini-swe-sqlfluff-1733',
  'mini-swe-reasoning-sqlfluff-1517',
  'mini-swe-big-message',
  'mini-swe-astroid-1333',
  'hermes-feature-impl',
  'hermes-config-build',
]
const ANTHROPIC = [
  'claude-code-request-25-messages',
  'from-cc-remediation-compaction',
  'from-cc-images-long',
  'from-cc-errors-compaction',
]
const CODEX = [
  'codex-2-compacted',
  'codex-1-compacted',
  'codex-images-2-compacted',
  'codex-long',
  'codex-mid-1',
  'codex-mid-2',
  'codex-short',
]

function recorded(): Recorded[] {
  return [
    ...OPENAI.map(
      (name): Recorded => ({ name, format: 'openai', messages: json(`openai/${name}.json`)['messages'] ?? [] }),
    ),
    {
      name: 'swe-agent',
      format: 'openai',
      messages: json('openai/swe-agent-marshmallow-function-calling.json')['history'] ?? [],
    },
    ...lines('openai/tau-bench-airline-gpt4o.jsonl').map(
      (line, n): Recorded => ({ name: `tau-bench ${n}`, format: 'openai', messages: line['traj'] ?? [] }),
    ),
    ...lines('openai/tau2-sft-train.jsonl').map(
      (line, n): Recorded => ({
        name: `tau2 ${n}`,
        format: 'openai',
        messages: line['messages'] ?? [],
        tools: line['tools'],
      }),
    ),
    ...lines('openai/openhands-events.jsonl').map(
      (line, n): Recorded => ({ name: `openhands ${n}`, format: 'openai', messages: line['history'] ?? [] }),
    ),
    ...ANTHROPIC.map((name): Recorded => {
      const body = json(`anthropic/${name}.json`)
      return {
        name,
        format: 'anthropic',
        messages: body['messages'] ?? [],
        system: body['system'],
        tools: body['tools'],
      }
    }),
    {
      name: 'compact call',
      format: 'anthropic',
      messages:
        (json('anthropic/claude-code-compact-call.json')['request'] as unknown as Record<string, never>)['messages'] ??
        [],
    },
    ...CODEX.map(
      (name): Recorded => ({
        name,
        format: 'responses',
        messages: lines(`codex/${name}.jsonl`)
          .filter((line) => line['type'] === 'response_item')
          .map((line) => line['payload']),
      }),
    ),
  ]
}

describe.skipIf(!existsSync(root))('public trajectories (skipped without the corpus)', () => {
  const lists = existsSync(root) ? recorded() : []

  it.each(lists.map((list) => [list.name, list] as const))('%s compacts to a valid list', (_name, list) => {
    const before = JSON.stringify(list.messages)
    const tokens = requestTokens({ ...list, messages: [] })
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
    const bare = fallbackSummary({ rows: plan.rowsToSummarise, previousSummary: plan.previousSummary, reason: 'test' })
    expect(bare.length).toBeLessThanOrEqual(8000)
    expect(serialise(transcriptOfRows(plan.rowsToSummarise), { neutralisesMedia: true })).not.toBe('')
    fileLists(toolUsesOfRows(plan.rowsToSummarise))
    const made = assembleList(plan, { text: upsertToolFacts(bare, plan.rowsToSummarise, plan.previousSummary), bare })
    if (made.kind === 'rejected') {
      expect(plan.tokensReplaced).toBeLessThan(4000)
      return
    }
    expect(brokenInvariants(made.messages, list.format)).toEqual([])
    expect(made.validity.pairs && made.validity.alternation).toBe(true)
    // A second pass over what the first gave out has nothing to do, also without its state (bug-log T11).
    expect(planList({ ...input, messages: made.messages }).kind).not.toBe('plan')
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
