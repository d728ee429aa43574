import { ledger } from '../ledger/ledger.ts'
import { ledgerFacts } from '../ledger/ledger-facts.ts'
import { blocksToConversation } from '../transcript/blocks-to-conversation.ts'
import { parseBlocks } from '../transcript/parse-blocks.ts'
import { parsePrompt } from '../transcript/parse-prompt.ts'
import { auditScore } from './audit.ts'

/** How much of what a prompt's conversation must not lose stands in the answer, 0 to 1: ranks the references of a mixture. */
export function scoreAnswer(answer: string, prompt: string): number {
  const parsed = parsePrompt(prompt)
  return parsed === null
    ? 1
    : auditScore(answer, ledgerFacts(ledger(blocksToConversation(parseBlocks(parsed.conversation)))))
}
