import { isRecord } from '../is-record.ts'
import { partsOfRow, type RequestView, roleOfRow, textOfPart, type Wire } from './request-view.ts'

/** How an agent asks for a summary. */
export type AskKind =
  /** The rows are the conversation; the last text of the user's is the agent's instruction. */
  | 'rows'
  /** The conversation is text inside a prompt that ends in the agent's own instructions. */
  | 'prompt'
  /** The rows are the conversation; the answer is one compaction item. */
  | 'item'
  /** The agent shows our own answer again and asks for a review of it. */
  | 'review'

/** One agent's compaction call. A row is recognised only where its words AND its shape fit (docs/spec/faces.md §3). */
export interface AgentCall {
  readonly agent: string
  readonly wires: readonly Wire[]
  readonly ask: AskKind
  /** Bytes that a body must hold before it is parsed for this row. */
  readonly mark: string
  readonly fits: (view: RequestView) => boolean
  /** Tag its parser looks for around the summary. */
  readonly tag?: string | undefined
}

const ANY: readonly Wire[] = ['messages', 'chat', 'responses', 'gemini']

/**
 * The agents whose compaction calls the proxy answers. The words are the agents' own marks, as short as they tell them
 * apart; they count only where the agent puts them, so that a question about summaries, a quotation, or a file that holds
 * such a prompt is never taken for a call.
 */
const AGENT_CALLS: readonly AgentCall[] = [
  {
    agent: 'claude-code',
    wires: ['messages'],
    ask: 'rows',
    mark: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.',
    tag: 'summary',
    fits: (view) =>
      view.tools > 0 &&
      view.system !== '' &&
      begins(view, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.') &&
      (view.last?.text.includes('create a detailed summary of the conversation so far') ?? false),
  },
  {
    agent: 'codex',
    wires: ['responses'],
    ask: 'item',
    mark: 'compaction_trigger',
    fits: ({ rows }) => {
      const last = rows.at(-1)
      return isRecord(last) && last['type'] === 'compaction_trigger'
    },
  },
  {
    agent: 'codex',
    wires: ['responses'],
    ask: 'rows',
    mark: 'You are performing a CONTEXT CHECKPOINT COMPACTION.',
    fits: (view) => view.system !== '' && begins(view, 'You are performing a CONTEXT CHECKPOINT COMPACTION.'),
  },
  {
    agent: 'opencode',
    wires: ANY,
    ask: 'prompt',
    mark: 'You are a context summarization agent.',
    fits: (view) => isPrompt(view, 'You are a context summarization agent.', '<conversation>'),
  },
  {
    agent: 'pi',
    wires: ANY,
    ask: 'prompt',
    mark: 'You are a context summarization assistant.',
    fits: (view) => isPrompt(view, 'You are a context summarization assistant.', '<conversation>'),
  },
  {
    agent: 'gemini-cli',
    wires: ['gemini'],
    ask: 'rows',
    mark: 'distilling chat history',
    tag: 'state_snapshot',
    fits: (view) => isSnapshot(view) && /generate the updated <state_snapshot>\.\s*$/.test(tail(view.last?.text ?? '')),
  },
  {
    agent: 'gemini-cli',
    wires: ['gemini'],
    ask: 'review',
    mark: 'distilling chat history',
    tag: 'state_snapshot',
    fits: (view) =>
      isSnapshot(view) &&
      begins(view, 'Critically evaluate the <state_snapshot> you just generated.') &&
      reviewed(view, 'state_snapshot') !== null,
  },
  {
    agent: 'continue',
    wires: ANY,
    ask: 'rows',
    mark: 'You do not need to recap the system message',
    fits: (view) =>
      view.tools > 0 &&
      begins(
        view,
        'Please provide a concise summary of our conversation so far, capturing the key context, decisions made, and current state.',
      ) &&
      (view.last?.text.includes('You do not need to recap the system message') ?? false),
  },
  {
    agent: 'cline',
    wires: ANY,
    ask: 'prompt',
    mark: 'Summarize the provided coding session into a concise continuation note',
    fits: (view) =>
      isPrompt(view, 'Summarize the provided coding session into a concise continuation note', '') &&
      begins(view, 'Summarize this session for continuation.'),
  },
  {
    agent: 'roo',
    wires: ANY,
    ask: 'rows',
    mark: 'You are a helpful AI assistant tasked with summarizing conversations.',
    fits: (view) =>
      view.tools === 0 &&
      view.rows.length > 1 &&
      view.system.startsWith('You are a helpful AI assistant tasked with summarizing conversations.') &&
      view.system.includes('summarization-only request') &&
      view.last !== null,
  },
  {
    agent: 'zed',
    wires: ANY,
    ask: 'rows',
    mark: 'You are compacting this conversation into a handoff for another agent that will resume the work.',
    fits: (view) =>
      view.rows.length > 1 &&
      begins(view, 'You are compacting this conversation into a handoff for another agent that will resume the work.'),
  },
  {
    agent: 'goose',
    wires: ANY,
    ask: 'prompt',
    mark: 'Please summarize the conversation history provided in the system prompt.',
    fits: (view) =>
      isPrompt(view, 'The messages above are a conversation to summarize.', '') &&
      view.last?.text.trim() === 'Please summarize the conversation history provided in the system prompt.',
  },
]

/** The compaction call that a body is; null for every other request. */
export function agentCallOf(view: RequestView): AgentCall | null {
  return AGENT_CALLS.find((call) => call.wires.includes(view.wire) && call.fits(view)) ?? null
}

/** Marks to look for in the bytes of a body of this wire before anybody parses it. */
export function marksOf(wire: Wire): readonly string[] {
  return [...new Set(AGENT_CALLS.filter(({ wires }) => wires.includes(wire)).map(({ mark }) => mark))]
}

/** What stands inside `tag` in the answer that is being reviewed: the row before the request. */
export function reviewed({ wire, rows, last }: RequestView, tag: string): string | null {
  const row = last === null ? undefined : rows[last.row - 1]
  if (roleOfRow(row) !== 'model') return null
  const text = partsOfRow(wire, row)
    .flatMap((part) => textOfPart(part) ?? [])
    .join('')
  const from = text.indexOf(`<${tag}>`)
  const to = text.lastIndexOf(`</${tag}>`)
  return from < 0 || to < from ? null : text.slice(from + tag.length + 2, to).trim()
}

const begins = ({ last }: RequestView, words: string): boolean => last?.text.startsWith(words) ?? false

/** The end of a text, long enough for a closing sentence. */
const tail = (text: string): string => text.slice(-200)

/** One user message beside the system text, no tools: a prompt made by a program. */
function isPrompt(view: RequestView, system: string, holds: string): boolean {
  const turns = view.rows.filter((row) => roleOfRow(row) !== 'system' && roleOfRow(row) !== 'developer')
  return (
    view.tools === 0 &&
    turns.length === 1 &&
    view.last !== null &&
    view.system.startsWith(system) &&
    view.last.text.includes(holds)
  )
}

const isSnapshot = (view: RequestView): boolean =>
  view.tools === 0 &&
  view.system.startsWith('You are a specialized system component responsible for distilling chat history')
