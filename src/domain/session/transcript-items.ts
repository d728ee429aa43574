import type { TranscriptItem } from '../transcript/serialize.ts'
import { answeredCallOf, type Part, partsOf, stringOf, toolCallsOf } from './content.ts'
import type { AgentMessage } from './message.ts'
import { type LlmMessage, type SummaryWrappers, toLlm } from './to-llm.ts'

const INTERRUPTED = 'interrupted, no result'

/** Text parts joined, each image named on a line of its own and never sent (bug-log B115 to B117). */
function spokenText(parts: readonly Part[], between: string): string {
  let told = ''
  let last = ''
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'image') continue
    const isImageBeside = part.type === 'image' || last === 'image'
    if (last !== '') told += isImageBeside ? '\n' : between
    told += part.type === 'image' ? '[image]' : stringOf(part['text'])
    last = part.type
  }
  return told
}

function itemOf(message: LlmMessage): TranscriptItem {
  const parts = partsOf(message.content)
  if (message.role === 'toolResult') {
    return { role: 'toolResult', text: spokenText(parts, ''), isError: message.isError === true }
  }
  if (message.role !== 'assistant') return { role: message.role, text: spokenText(parts, '') }
  const thinking = parts.filter((part) => part.type === 'thinking').map((part) => stringOf(part['thinking']))
  const calls = toolCallsOf(message).map((call) => ({ name: call.name, args: call.arguments }))
  return { role: 'assistant', text: spokenText(parts, '\n'), thinking: thinking.join('\n'), calls }
}

/** Calls nobody answered, told as errors, so that a summary does not take them for done (bug-log B011, B020). */
function unanswered(message: LlmMessage, answered: ReadonlySet<string>): readonly TranscriptItem[] {
  return toolCallsOf(message)
    .filter((call) => !answered.has(call.id))
    .map((call) => ({ role: 'toolResult', text: `${call.name}: ${INTERRUPTED}`, isError: true }))
}

/**
 * Session messages for `serialise`. `marksInterrupted` says that all results there are stand in `messages`: true for the
 * regions of a compaction, false for a branch, whose results are left out.
 */
export function transcriptItems(
  messages: readonly AgentMessage[],
  options: { readonly wrappers: SummaryWrappers; readonly marksInterrupted: boolean },
): readonly TranscriptItem[] {
  const told = toLlm(messages, options.wrappers)
  const answered = new Set(told.filter((message) => message.role === 'toolResult').map(answeredCallOf))
  return told.flatMap((message) =>
    options.marksInterrupted ? [itemOf(message), ...unanswered(message, answered)] : [itemOf(message)],
  )
}
