import { assemblePrompt } from '../src/domain/prompts/assemble-prompt.ts'
import { messagesToConversation } from '../src/domain/session/messages-to-conversation.ts'
import { serialize } from '../src/domain/transcript/serialize.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../src/prompts/load-prompts.ts'
import { sessionEntries } from './pipeline-session.ts'

const AS_IT_IS = { compactionSummary: (text: string) => text, branchSummary: (text: string) => text }
/** Of an entry of 1 kB so much comes to stand in a transcript. */
const ENTRY_BYTES = 800

/** A prompt of about so many bytes shaped as omp sends it: a conversation of labelled blocks, and instructions that ask for headings. */
export function ompPrompt(bytes: number): string {
  const entries = sessionEntries(Math.ceil(bytes / ENTRY_BYTES)).slice(1) as readonly {
    readonly message: { readonly role: string }
  }[]
  const conversation = serialize(
    messagesToConversation(
      entries.map(({ message }) => message),
      AS_IT_IS,
    ),
  )
  return assemblePrompt(
    { kind: 'history', conversation: conversation.slice(0, bytes) },
    loadPrompts(PROMPTS_FOLDER, undefined),
  ).prompt
}
