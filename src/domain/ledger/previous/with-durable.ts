import { contentWords, isSaidBy } from '../content-words.ts'
import type { DurableLedger, LedgerItem } from '../ledger-value.ts'
import { withoutMechanical } from './strip-mechanical.ts'

/** Heading of what code keeps in a summary because its author left it out. */
const KEPT_HEADING = '## Kept Facts'

const LABELS = { constraints: 'User constraint: ', decisions: 'Decision: ', links: 'Link: ' } as const

/**
 * The previous summary as the next pass is shown it: mechanical blocks removed, what it lost of the durable ledger put
 * back (docs/spec/truth.md §5 and §7). '' where neither says anything.
 */
export function withDurable(summary: string, durable: DurableLedger | null): string {
  const bare = withoutMechanical(summary)
  if (durable === null) return bare
  const told = bare.split('\n').map(contentWords)
  const flat = bare.replace(/\s+/g, ' ')
  const isLost = ({ text }: LedgerItem): boolean => {
    if (flat.includes(text.replace(/\s+/g, ' '))) return false
    const words = contentWords(text)
    return !told.some((line) => isSaidBy(words, line))
  }
  const kinds = ['constraints', 'decisions', 'links'] as const
  const lines = [
    ...[durable.goal].flatMap((goal) => (goal !== null && isLost(goal) ? [`- Goal: ${goal.text}`] : [])),
    ...kinds.flatMap((kind) => durable[kind].filter(isLost).map((told) => `- ${LABELS[kind]}${told.text}`)),
  ]
  if (lines.length === 0) return bare
  const block = lines.join('\n')
  return bare.includes(`${KEPT_HEADING}\n`)
    ? bare.replace(`${KEPT_HEADING}\n`, () => `${KEPT_HEADING}\n${block}\n`)
    : `${bare}${bare === '' ? '' : '\n\n'}${KEPT_HEADING}\n${block}`
}
