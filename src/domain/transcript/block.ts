/** What one block of a serialised conversation is, whatever the agent called it. */
export type BlockRole = 'user' | 'assistant' | 'thinking' | 'tool-calls' | 'tool-result' | 'tool-error' | 'other'

/** One block. `start` and `end` are offsets in the conversation (UTF-16 units): label included, blank line between blocks not. */
export interface Block {
  readonly role: BlockRole
  readonly label: string
  readonly text: string
  readonly start: number
  readonly end: number
}
