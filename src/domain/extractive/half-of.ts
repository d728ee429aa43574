import type { Ledger, LedgerItem, OpenStep } from '../ledger/ledger-value.ts'

/** `history`: all that was before the turn that is split; `turn`: the part of that turn that is removed. */
export type SplitHalf = 'history' | 'turn'

/**
 * What one half of a split turn's compaction says, since both are read together: no line twice, and of the history nothing that
 * the turn has settled (docs/spec/truth.md §5). Its newest request is an earlier one; what waited or was next then has its
 * answer in the turn. The prompt of the turn shows the message it answers; the content of that is summarized in the history.
 */
export function halfOf(held: Ledger, half: SplitHalf): Ledger {
  return half === 'history' ? beforeTurn(held) : ofTurn(held)
}

/** Steps that a new request does not settle. */
const LASTING: ReadonlySet<OpenStep['kind']> = new Set(['running', 'todo', 'planned-earlier'])

function beforeTurn(held: Ledger): Ledger {
  return {
    ...held,
    // Whoever said it: it is said here or nowhere.
    asks: held.asks.map((ask) => (ask.isNewest ? { ...ask, isNewest: false, isCarried: false, answers: '' } : ask)),
    openSteps: held.openSteps.filter(({ kind }) => LASTING.has(kind)),
    question: null,
    lastWords: '',
    lastSteps: [],
  }
}

/** The message before the turn has a lower number than its request. */
function ofTurn(held: Ledger): Ledger {
  const first = held.asks[0]?.turn ?? 0
  const isOwn = ({ turn }: LedgerItem): boolean => turn >= first
  return {
    ...held,
    // What is kept continues the turn, whatever was said last.
    isFinished: false,
    decisions: held.decisions.filter(isOwn),
    userDecisions: held.userDecisions.filter(isOwn),
    links: held.links.filter(isOwn),
    names: held.names.filter(isOwn),
    outcomes: held.outcomes.filter(isOwn),
  }
}
