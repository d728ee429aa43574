import type { ErrorCode } from '../../domain/errors.ts'
import type { EndpointName } from '../../requests/endpoints.ts'
import { COMMON_PROBLEMS, MODEL_PROBLEMS, SESSION_PROBLEMS } from './operation.ts'
import { EXAMPLE_ENTRIES } from './session-example.ts'

/** The description of an endpoint: what requests/endpoints.ts does not hold. */
export interface Description {
  readonly tag: 'summaries' | 'sessions'
  readonly summary: string
  readonly description?: string
  readonly example: unknown
  /** What a stream sends when `Accept: text/event-stream` asks for one. */
  readonly events?: string
  readonly cacheHeader?: boolean
  readonly problems: readonly ErrorCode[]
}

/** A new endpoint needs its description here: the compiler asks for it. */
export const DESCRIPTIONS: Readonly<Record<EndpointName, Description>> = {
  summarize: {
    tag: 'summaries',
    summary: 'Answer one summarisation prompt',
    description:
      "The target of omp's and pi's `compaction.remoteEndpoint`. A prompt that holds a `<conversation>` block may be longer than any model's window: it is summarised in parts and merged.",
    example: {
      systemPrompt: 'You summarise conversations.',
      prompt: '<conversation>\n[User]: Rename the queue.\n</conversation>\n\nSummarise it under the heading ## Goal.',
    },
    events:
      'Events `attempt`, `delta {text}`, `reset` (discard the deltas so far), then `done` (the JSON answer) or `error` (the problem); comment heartbeats every 15 s.',
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, ...MODEL_PROBLEMS],
  },
  'chat-completions': {
    tag: 'summaries',
    summary: "The same, in OpenAI's chat shape",
    description:
      'For clients that speak OpenAI chat. An unknown `model` means the default chain. With `stream: true` the chunks come once the checked answer exists, heartbeats before.',
    example: { messages: [{ role: 'user', content: 'Summarise: the tests moved.' }] },
    events: "OpenAI's chunks, ending in `[DONE]`; a failure is one `data: {error}`.",
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, ...MODEL_PROBLEMS],
  },
  messages: {
    tag: 'summaries',
    summary: "A conversation and its request for a summary, in Anthropic's shape",
    description:
      'The last user message is the instruction where it asks for a summary; else the conversation is summarised by our own prompt. `compaction` blocks are earlier summaries; `instructions` of a compact edit or of `compaction` say what to keep. Errors are shaped as Anthropic shapes them.',
    example: {
      model: 'claude-sonnet-4-5',
      max_tokens: 4000,
      messages: [
        { role: 'user', content: 'Port src/auth/jwt.ts to jose.' },
        { role: 'assistant', content: 'Ported; one test fails.' },
        { role: 'user', content: 'Please summarize our conversation so far.' },
      ],
    },
    events: "Anthropic's events from `message_start` to `message_stop`, `ping` before; a failure is one `error`.",
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, ...MODEL_PROBLEMS],
  },
  responses: {
    tag: 'summaries',
    summary: "A summary, or one compaction item, in the shape of OpenAI's Responses API",
    description:
      'A request whose last item is `{type: compaction_trigger}` is answered with exactly one compaction item; any other with a summary of its input.',
    example: {
      model: 'gpt-5.2',
      input: [
        { type: 'message', role: 'user', content: 'Port src/auth/jwt.ts to jose.' },
        { type: 'message', role: 'assistant', content: 'Ported; one test fails.' },
        { type: 'compaction_trigger' },
      ],
    },
    events:
      'Numbered events from `response.created` to `response.completed`, `response.in_progress` as heartbeat; a failure is `response.failed`.',
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, 'stored-elsewhere', ...MODEL_PROBLEMS],
  },
  'responses-compact': {
    tag: 'summaries',
    summary: "OpenAI's compaction call",
    description:
      'Answers with the messages of the user as they came and one compaction item that holds the summary and the requests of the user: `recapd1.` and the deflated text in base64url, sealed where `jobs.secret` is set. Wherever a list is read such an item is the previous summary.',
    example: {
      model: 'gpt-5.2',
      input: [
        { type: 'message', role: 'user', content: 'Port src/auth/jwt.ts to jose.' },
        { type: 'message', role: 'assistant', content: 'Ported; one test fails.' },
      ],
    },
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, 'stored-elsewhere', ...MODEL_PROBLEMS],
  },
  compact: {
    tag: 'sessions',
    summary: 'Compact a session or a message list',
    description:
      'Exactly one of `entries` (a pi/omp session) and `messages` (OpenAI chat, Anthropic, Responses). Answers with the compaction entry to append and the context to go on with, or with a smaller list of the same format. `compacted: false` is not a failure: `reason` says why nothing changed.',
    example: { entries: EXAMPLE_ENTRIES, reason: 'manual', settings: { keepRecentTokens: 20 } },
    events:
      'Events `compaction_start`, `pruned`, `plan`, `attempt {kind}`, `delta {kind, text}`, `reset {kind}`, `summary {kind}`, then `done` (the JSON answer) or `error` (the problem).',
    cacheHeader: true,
    problems: [
      ...COMMON_PROBLEMS,
      ...SESSION_PROBLEMS,
      ...MODEL_PROBLEMS,
      'compaction-in-progress',
      'attempts-exhausted',
    ],
  },
  'branch-summary': {
    tag: 'sessions',
    summary: 'Leave a branch and take along what was learned there',
    description:
      'Collects the entries between the old leaf and the common ancestor with the target, and answers with the branch_summary entry to append at the new position. `summarized: false` is not a failure: `reason` says why, and the navigation is answered all the same.',
    example: { entries: EXAMPLE_ENTRIES, oldLeafId: 'a0000003', targetId: 'a0000004' },
    events:
      'Events `attempt {kind}`, `delta {kind, text}`, `reset {kind}`, `summary {kind}` (`kind` is `branch`), then `done` (the JSON answer) or `error` (the problem).',
    cacheHeader: true,
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS, 'unknown-target', ...MODEL_PROBLEMS],
  },
  check: {
    tag: 'sessions',
    summary: 'Should it be compacted now?',
    description: 'Asks no model. Also classifies a provider error (`lastError`) by the table this service uses itself.',
    example: {
      entries: EXAMPLE_ENTRIES,
      contextWindow: 128000,
      lastError: { message: 'prompt is too long', status: 400 },
    },
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
  prune: {
    tag: 'sessions',
    summary: 'Which old tool output can go?',
    example: { entries: EXAMPLE_ENTRIES },
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
  context: {
    tag: 'sessions',
    summary: 'The context of a leaf, rebuilt from the tree',
    example: { entries: EXAMPLE_ENTRIES, leafId: 'a0000003', format: 'openai' },
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
}
