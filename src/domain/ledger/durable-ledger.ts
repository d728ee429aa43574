import * as z from 'zod'
import { quoteLine } from '../text/quote.ts'
import { redact } from '../text/redact.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { decisionLine } from './decisions/decisions.ts'
import type { DurableLedger, Ledger, LedgerItem } from './ledger-value.ts'

const MOST_BYTES = 4096
const MOST_ITEMS = 40
const MOST = { constraints: 18, decisions: 14, links: 7 } as const
const GOAL_MOST = 600
const LONGEST = 1200

const toldSchema = z.object({
  text: z
    .string()
    .min(1)
    .max(4 * LONGEST),
  turn: z.number().int().min(0),
})
const listSchema = z.array(toldSchema).max(40).readonly()

/** What a compaction entry carries in `details.ledger` and a list in its state (docs/spec/truth.md §7). */
export const durableSchema = z.object({
  goal: toldSchema.nullable(),
  constraints: listSchema,
  decisions: listSchema,
  links: listSchema,
})

type Kind = keyof typeof MOST

/** The part of a ledger that outlives any summary: at most 40 items in 4 KiB, the newest of each kind, redacted. */
export function durableOf(ledger: Ledger): DurableLedger {
  const user = ledger.userDecisions
  const assistant = ledger.decisions.filter(({ by }) => by === 'assistant')
  const room = Math.max(0, MOST.decisions - user.length)
  const decided = [...(room === 0 ? [] : assistant.slice(-room)), ...user.slice(-MOST.decisions)]
  const durable: Record<Kind, LedgerItem[]> & { goal: LedgerItem | null } = {
    goal:
      ledger.goal === null ? null : { text: quoteLine(redact(ledger.goal.text), GOAL_MOST), turn: ledger.goal.turn },
    constraints: ledger.constraints.slice(-MOST.constraints).map(kept),
    decisions: decided
      .sort((a, b) => a.turn - b.turn)
      .map((decision) => kept({ text: decisionLine(decision), turn: decision.turn })),
    links: [],
  }
  // Places that rules and decisions leave free; a link that is not carried is found nowhere else.
  const free = MOST_ITEMS - 1 - durable.constraints.length - durable.decisions.length
  durable.links = ledger.links.slice(-Math.max(MOST.links, free)).map(kept)
  return withinBytes(durable)
}

const kept = ({ text, turn }: LedgerItem): LedgerItem => ({ text: quoteLine(redact(text), LONGEST), turn })

/** The oldest of the heaviest kind goes first. */
function withinBytes(durable: Record<Kind, LedgerItem[]> & { goal: LedgerItem | null }): DurableLedger {
  const weight = (value: unknown): number => utf8Length(JSON.stringify(value))
  while (weight(durable) > MOST_BYTES) {
    const heaviest = (['links', 'decisions', 'constraints'] as const).reduce((most, kind) =>
      weight(durable[kind]) > weight(durable[most]) ? kind : most,
    )
    if (durable[heaviest].shift() === undefined) break
  }
  return durable
}

/** A ledger that came back from an agent; null for none and for a damaged one, which is ignored. */
export function readDurable(value: unknown): DurableLedger | null {
  return durableSchema.safeParse(value).data ?? null
}
