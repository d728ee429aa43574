import type { ChatFormat } from './chat-invariants.ts'
import { corpusText, hasCorpus } from './corpus.ts'

const json = (file: string): Record<string, never> => JSON.parse(corpusText(file)) as Record<string, never>
const lines = (file: string): Record<string, never>[] =>
  corpusText(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)

/** One recorded trajectory as an agent would send it. */
export interface Recorded {
  readonly name: string
  readonly format: ChatFormat
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

/** Every trajectory of the corpus that is a message list; none without the corpus. */
export function recordedLists(): Recorded[] {
  if (!hasCorpus) return []
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
