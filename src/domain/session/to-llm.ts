import { isRecord } from '../is-record.ts'
import { type ContentPart, joinedText, partsOf, stringOf } from './content.ts'
import type { AgentMessage } from './message.ts'

/** Sentences around a stored summary; the texts are files in `prompts/`, rendered by the caller. */
export interface SummaryWrappers {
  readonly compactionSummary: (summary: string) => string
  readonly branchSummary: (summary: string) => string
}

/** A message with one of the four roles a provider knows. */
export type LlmMessage = AgentMessage & { readonly role: 'user' | 'developer' | 'assistant' | 'toolResult' }

const isLlmMessage = (message: AgentMessage): message is LlmMessage => LLM_ROLES.has(message.role)
const LLM_ROLES: ReadonlySet<string> = new Set<LlmMessage['role']>(['user', 'developer', 'assistant', 'toolResult'])

function asUser(message: AgentMessage, content: readonly ContentPart[]): LlmMessage {
  return { role: 'user', content: [...content], timestamp: message.timestamp }
}

const text = (value: string): ContentPart => ({ type: 'text', text: value })

function fenced(output: unknown): string {
  const body = stringOf(output)
  return body === '' ? '(no output)' : `\`\`\`\n${body}\n\`\`\``
}

function truncationNote(message: AgentMessage): string {
  if (message.truncated !== true) return ''
  const path = stringOf(message.fullOutputPath)
  return path === '' ? '\n\n[Output truncated]' : `\n\n[Output truncated. Full output: ${path}]`
}

function bashText(message: AgentMessage): string {
  const { exitCode } = message
  const failed = typeof exitCode === 'number' && exitCode !== 0
  const cancelled = message.cancelled === true
  const end = cancelled ? '\n\n(command cancelled)' : failed ? `\n\nCommand exited with code ${exitCode}` : ''
  return `Ran \`${stringOf(message.command)}\`\n${fenced(message.output)}${end}${truncationNote(message)}`
}

function pythonText(message: AgentMessage): string {
  const { exitCode } = message
  const failed = typeof exitCode === 'number' && exitCode !== 0
  const cancelled = message.cancelled === true
  const end = cancelled ? '\n\n(execution cancelled)' : failed ? `\n\nExecution failed with code ${exitCode}` : ''
  const code = `Ran Python:\n\`\`\`python\n${stringOf(message.code)}\n\`\`\`\n`
  return `${code}Output:\n${fenced(message.output)}${end}${truncationNote(message)}`
}

function fileParts(files: unknown): readonly ContentPart[] {
  const known = (Array.isArray(files) ? files : []).filter(isRecord)
  const blocks = known.map((file) => {
    const content = stringOf(file['content'])
    return `<file path="${stringOf(file['path'])}">\n${content === '' ? '' : `${content}\n`}</file>`
  })
  const images = known.flatMap((file) => partsOf([file['image']]))
  return [text(`<system-reminder>\n${blocks.join('\n\n')}\n</system-reminder>`), ...images]
}

/** A pruned result is its placeholder alone; images that an older agent left beside it are not sent (docs/spec/sessions.md §3). */
function resultOf(message: LlmMessage): LlmMessage {
  if (!message.prunedAt) return message
  return { ...message, content: [text(joinedText(message.content) || '[Output truncated]')] }
}

/** One message as it is sent to a provider; null for what is sent to none. */
export function llmMessageOf(message: AgentMessage, wrappers: SummaryWrappers): LlmMessage | null {
  if (isLlmMessage(message)) return message.role === 'toolResult' ? resultOf(message) : message
  switch (message.role) {
    case 'bashExecution':
      return message.excludeFromContext === true ? null : asUser(message, [text(bashText(message))])
    case 'pythonExecution':
      return message.excludeFromContext === true ? null : asUser(message, [text(pythonText(message))])
    case 'custom':
    case 'hookMessage':
      return asUser(message, partsOf(message.content))
    case 'branchSummary':
      return asUser(message, [text(wrappers.branchSummary(message.summary ?? ''))])
    case 'compactionSummary':
      return asUser(message, [text(wrappers.compactionSummary(message.summary ?? ''))])
    case 'fileMention':
      return asUser(message, fileParts(message.files))
    default:
      return null
  }
}

/** Messages as they are sent to a provider (docs/spec/sessions.md §3). Unknown roles contribute none; a stored summary is never reformatted. */
export function toLlm(messages: readonly AgentMessage[], wrappers: SummaryWrappers): readonly LlmMessage[] {
  return messages.map((message) => llmMessageOf(message, wrappers)).filter((message) => message !== null)
}
