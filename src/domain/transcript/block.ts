import type { BlockRole } from '../text/structure/labels.ts'

/** One block. `start` and `end` are offsets in the conversation (UTF-16 units): label included, blank line between blocks not. */
export interface Block {
  readonly role: BlockRole
  readonly label: string
  readonly text: string
  readonly start: number
  readonly end: number
}
