import { noHooks } from '../../src/hooks/hooks.ts'
import { type CompactionFacts, silentPipelineObserver } from '../../src/hooks/pipeline-observer.ts'
import { EXTRACTIVE_ID } from '../../src/models/candidate-ids.ts'
import type { CandidateFacts, Completion, CompletionRequest, Models, Selection } from '../../src/models/model.ts'
import { compact } from '../../src/pipelines/compact.ts'
import type { CompactMessagesResult, CompactSessionResult } from '../../src/pipelines/compact-result-schema.ts'
import { compactRequest } from '../../src/pipelines/compact-schema.ts'
import { compactionItems } from '../../src/pipelines/items/compaction-items.ts'
import type { CallContext, PipelineDeps } from '../../src/pipelines/pipeline-context.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../../src/prompts/load-prompts.ts'
import { parseRequest } from '../../src/requests/parse-request.ts'
import { completionOf } from './fake-model.ts'

export const prompts = loadPrompts(PROMPTS_FOLDER, undefined)
export const NOW_MS = 1_800_000_000_000
export const HISTORY = '## Goal\nplain work HISTORY'
/** With the headings that sessions and lists ask for: the model layer takes it (docs/spec/truth.md §8). */
export const WHOLE = `${HISTORY}

${[
  'Constraints & Preferences',
  'Progress',
  'Key Decisions',
  'Next Steps',
  'Critical Context',
  'Historical Task Snapshot',
  'Completed Actions',
  'Active State',
  'Blocked',
  'Relevant Files',
]
  .map((title) => `## ${title}\n- ${title.toLowerCase()} as it was told`)
  .join('\n\n')}`
export const PREFIX = '## Original Request\nplain work PREFIX'
export const SHORT = 'I did plain work.'

export type Kind = 'history' | 'prefix' | 'short' | 'list'

/** Which call of a compaction a request is, told by its instructions. */
export function kindOf({ prompt }: Pick<CompletionRequest, 'prompt'>): Kind {
  const { text } = prompt
  if (text.includes('FIRST PART of one long turn')) return 'prefix'
  if (text.includes(prompts['compaction-short-summary'])) return 'short'
  return text.includes('## Historical Task Snapshot') ? 'list' : 'history'
}

const TEXTS: Readonly<Record<Kind, string>> = { history: HISTORY, prefix: PREFIX, short: SHORT, list: HISTORY }

/** What a fake chain says: a text, a whole completion, or a throw; nothing: the usual text of that call. */
export type Reply = (
  kind: Kind,
  request: CompletionRequest,
  signal: AbortSignal,
) => string | Completion | undefined | Promise<string | Completion | undefined>

export interface Asked extends Omit<CompletionRequest, 'prompt'> {
  readonly prompt: string
  /** How the prompt was spelled, where it went out so. */
  readonly spelling: Uint8Array | undefined
  readonly kind: Kind
  readonly selection: Selection
  readonly signal: AbortSignal
}

export interface World {
  readonly deps: PipelineDeps
  readonly asked: Asked[]
  readonly facts: CompactionFacts[]
  readonly audits: (readonly [number, number])[]
  readonly held: Set<string>
  readonly events: (readonly [string, Record<string, unknown>])[]
  /** The prompt of the first call of that kind. */
  prompt(kind: Kind): string
  /** Whatever comes of it. */
  compact(body: object): Promise<object>
  session(body: object, context?: Partial<CallContext>, signal?: AbortSignal): Promise<CompactSessionResult>
  list(body: object, context?: Partial<CallContext>, signal?: AbortSignal): Promise<CompactMessagesResult>
}

export const ALPHA: CandidateFacts = {
  id: 'alpha/small',
  contextWindow: 200_000,
  maxOutputTokens: 16_384,
  price: { input: 1, output: 10 },
}

export interface WorldOptions {
  readonly reply?: Reply
  readonly candidate?: CandidateFacts
  readonly compaction?: Partial<PipelineDeps['defaults']['compaction']>
  readonly hooks?: PipelineDeps['hooks']
}

/** The pipelines over a chain of one fake candidate, with everything they said and asked on record. */
export function pipelineWorld(options: WorldOptions = {}): World {
  const { reply = () => undefined, candidate = ALPHA, compaction = {}, hooks = noHooks } = options
  const asked: Asked[] = []
  const facts: CompactionFacts[] = []
  const audits: (readonly [number, number])[] = []
  const held = new Set<string>()
  const events: (readonly [string, Record<string, unknown>])[] = []
  const models: Models = {
    known: [candidate],
    chain: [candidate.id],
    pinned: () => models,
    select: (selection) => ({
      ...candidate,
      candidates: [candidate],
      async complete(request, signal) {
        const kind = kindOf(request)
        asked.push({ ...request, prompt: request.prompt.text, spelling: request.prompt.json, kind, selection, signal })
        const isLast = selection.model === EXTRACTIVE_ID
        const said = isLast
          ? completionOf(EXTRACTIVE_ID, '## Goal\nmade WITHOUT a model', LOCAL)
          : await reply(kind, request, signal)
        const answer = said ?? TEXTS[kind]
        return typeof answer === 'string' ? completionOf(candidate.id, answer) : answer
      },
    }),
  }
  let ids = 0
  const shelf = new Map<string, string>()
  const deps: PipelineDeps = {
    models,
    prompts,
    hooks,
    defaults: {
      compaction: { enabled: true, autoContinue: true, ...compaction },
      branchReserveTokens: 16_384,
      auditSummarize: true,
      aheadTtlMs: 60_000,
    },
    observer: {
      ...silentPipelineObserver,
      compaction: (fact) => void facts.push(fact),
      audit: (...pair) => void audits.push(pair),
    },
    async lock(name) {
      if (held.has(name)) return 'taken'
      held.add(name)
      return { release: async () => void held.delete(name) }
    },
    items: compactionItems(undefined),
    shelf: {
      get: async (name) => shelf.get(name),
      set: async (name, value) => void shelf.set(name, value),
    },
    now: () => NOW_MS,
    newId: () => (0xc0_00_00_00 + ids++).toString(16),
  }
  async function run(body: object, context: Partial<CallContext> = {}, signal = new AbortController().signal) {
    const request = parseRequest(compactRequest, body)
    return compact(
      {
        request,
        context: { ...CONTEXT, ...context },
        deps,
        emit: ({ name, data }) => events.push([name, { ...data }]),
      },
      signal,
    )
  }
  return {
    deps,
    asked,
    facts,
    audits,
    held,
    events,
    prompt: (kind) => asked.find((request) => request.kind === kind)?.prompt ?? '',
    compact: (body) => run(body),
    session: (body, context, signal) => run(body, context, signal) as Promise<CompactSessionResult>,
    list: (body, context, signal) => run(body, context, signal) as Promise<CompactMessagesResult>,
  }
}

const LOCAL = { method: 'extractive', degraded: true, attempts: [] } as const

export const CONTEXT: CallContext = {
  requestId: 'request-1',
  callerName: 'anonymous',
  deadlineAt: NOW_MS + 170_000,
  noCache: false,
  wantsEvents: true,
  readWarnings: [],
}

/** What stands between the tags of a block of a prompt; undefined when the block is not there. */
export function blockOf(prompt: string, tag: string): string | undefined {
  const start = prompt.indexOf(`<${tag}>\n`)
  const end = prompt.lastIndexOf(`\n</${tag}>`)
  return start < 0 || end < 0 ? undefined : prompt.slice(start + tag.length + 3, end)
}

/** The part of a prompt behind all data. */
export function instructionsOf(prompt: string): string {
  const ends = ['conversation', 'previous-summary', 'additional-context'].map((tag) => prompt.lastIndexOf(`</${tag}>`))
  const end = Math.max(...ends)
  return prompt.slice(prompt.indexOf('>', end) + 1).trimStart()
}
