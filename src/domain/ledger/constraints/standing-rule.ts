import { CUE_KINDS, cueKindsIn, cueTest } from '../cues/any-cue.ts'

/** What a sentence of the user lays down: that something is not done, or that something is. */
export type Rule = 'prohibition' | 'obligation'

const QUESTION = /[?？؟]["'”’)]{0,2}\s*$/
/** An order that stands in front makes a question of politeness out of a question ("Don't touch it, ok?"). */
const ORDER_FIRST = /^(?:please |bitte |por favor |s'il te plaît )?(?:don['’]?t|do not|never|under no)\b/i
/** What holds for the answer that is asked for and no longer. */
const ONE_TURN =
  /\b(?:only one|just one|this time|for this (?:one|turn|answer|question|message)|in (?:your|this) (?:answer|reply|response|message)|once only|right away)\b/i

/** Asked for once, politely. */
const REQUEST = /^(?:(?:so|and|also|ok|okay)[, ]+)?(?:can|could|would|will) (?:you|we)\b/i

const PROHIBITION = cueTest('prohibition')
const OBLIGATION = cueTest('obligation')

const QUOTES = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`/g
const LEAST_OWN = 12

/** What is quoted was laid down by somebody else: a message of the program, a comment in the code. */
function withoutQuotes(sentence: string): string {
  if (!/["“«`]/.test(sentence)) return sentence
  const own = sentence.replace(QUOTES, '…')
  return own.length >= LEAST_OWN ? own : sentence
}

/**
 * Whether a whole turn may hold a sentence that is a rule, and a label in front of rules. What is false is certain.
 */
export function mayHoldRules(turn: string): { readonly sentence: boolean; readonly label: boolean } {
  const kinds = cueKindsIn(turn, CUE_KINDS.rules | LAYS_DOWN)
  return { sentence: (kinds & LAYS_DOWN) !== 0, label: (kinds & CUE_KINDS.rules) !== 0 }
}

/** Kinds of cues that a rule has. */
export const LAYS_DOWN = CUE_KINDS.prohibition | CUE_KINDS.obligation

/**
 * What a sentence of the user lays down, or null (docs/spec/truth.md §4): no question, no request of one turn. A prohibition
 * wins over an obligation. Linear; meant for one sentence of at most a few hundred characters.
 */
export function ruleIn(sentence: string): Rule | null {
  const own = withoutQuotes(sentence)
  const rule = PROHIBITION.has(own) ? 'prohibition' : OBLIGATION.has(own) ? 'obligation' : null
  if (rule === null || (QUESTION.test(sentence) && !ORDER_FIRST.test(sentence))) return null
  return ONE_TURN.test(sentence) || REQUEST.test(sentence) ? null : rule
}
