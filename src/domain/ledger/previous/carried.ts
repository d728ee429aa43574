import { addAll } from '../../add-all.ts'
import { isProjectRule } from '../constraints/project-rules.ts'
import { ruleSentences } from '../constraints/rule-sentences.ts'
import type { DurableLedger, LedgerItem, ModifiedFile, Previous, WorkState } from '../ledger-value.ts'
import { linksIn } from '../links/links.ts'
import { filesFrom, LINE, outcomeLine, VOLATILE } from './line-labels.ts'
import { parseSummary, type SummaryItem } from './parse-summary.ts'
import { isPreference } from './preference.ts'
import { lastSeenState } from './seen-state.ts'
import { taggedFiles, withoutMechanical } from './strip-mechanical.ts'

/** What the generations before leave to this one: knowledge; of their state only what was last seen and planned. */
export interface Carried {
  readonly goal: LedgerItem | null
  /** What was the newest request. */
  readonly newest: readonly LedgerItem[]
  readonly constraints: readonly LedgerItem[]
  readonly projectRules: readonly LedgerItem[]
  readonly decisions: readonly LedgerItem[]
  readonly links: readonly LedgerItem[]
  readonly names: readonly LedgerItem[]
  readonly planned: readonly LedgerItem[]
  readonly modified: readonly ModifiedFile[]
  readonly done: readonly string[]
  readonly context: readonly string[]
  readonly seen: Partial<WorkState>
  /** Number of the last turn of the user's. */
  readonly turn: number
}

type Gathered = {
  goal: string[]
  newest: string[]
  constraints: string[]
  projectRules: string[]
  decisions: string[]
  links: string[]
  names: string[]
  planned: string[]
  modified: ModifiedFile[]
  done: string[]
  context: string[]
  state: string
}

const NEWEST = /^(?:Newest request|User asked|The user asked|Latest request|Most recent request): /i
const GOAL = /^(?:First request|Goal|Objective|Overall goal): /i
const CONSTRAINT = /^(?:User )?[Cc]onstraint: /
const DECISION = /^Decision: /
const DECIDED = /^The user decided: /
const FILE = /^Modified file: /
const LINKS = /^Links?(?: and ids)?: /
const RAN = /^Command run: /
/** Says that there is no step, or is a sentence of the agent about going on. */
const NO_STEP =
  /^(?:none|no (?:explicit|further|pending|specific|outstanding|open|remaining|additional|next)|nothing|all (?:done|tasks)|please continue the conversation|continue (?:the conversation|with the last task)|awaiting|wait(?:ing)? for)\b/i
/** What was wrong is state, unless the line says how it was fixed. */
const TROUBLE = /\b(?:fails?|failed|failing|errors?|exception|broken|crash(?:es|ed)?)\b/i
const MENDED =
  /\b(?:fix(?:ed|es)?|solved|resolved|mended|worked around|by (?:adding|using|changing|removing|setting)|because|so that|instead)\b/i

/** Reads what an earlier summary and the durable ledger know (docs/spec/truth.md §5 and §7). */
export function carriedFrom({ summary, durable }: Previous): Carried {
  const found: Gathered = {
    goal: [],
    newest: [],
    constraints: [],
    projectRules: [],
    decisions: [],
    links: [],
    names: [],
    planned: [],
    modified: [],
    done: [],
    context: [],
    state: '',
  }
  for (const entry of parseSummary(withoutMechanical(summary))) gather(found, entry)
  for (const path of taggedFiles(summary, 'modified-files')) found.modified.push({ path, how: 'edited' })
  const turn = lastTurn(durable)
  const told = (texts: readonly string[]): LedgerItem[] => texts.map((text) => ({ text, turn }))
  const goal = found.goal[0]
  return {
    goal: durable?.goal ?? (goal === undefined ? null : { text: goal, turn }),
    newest: told(found.newest.slice(-1)),
    constraints: [...(durable?.constraints ?? []), ...told(found.constraints)],
    projectRules: told(found.projectRules),
    decisions: [...(durable?.decisions ?? []), ...told(found.decisions)],
    links: [...(durable?.links ?? []), ...told(found.links)],
    names: told(found.names),
    planned: told(found.planned),
    modified: found.modified,
    done: found.done.map((line) => withAsk(line, found.newest.at(-1) ?? '')),
    context: [...found.goal.slice(1), ...found.context],
    seen: lastSeenState(found.state),
    turn,
  }
}

/** What came of the request that was the newest one then. */
function withAsk(line: string, newest: string): string {
  if (!line.startsWith(LINE.cameOf)) return line
  const told = line.slice(LINE.cameOf.length)
  return newest === '' ? told : outcomeLine(newest, told)
}

const lastTurn = (durable: DurableLedger | null): number => {
  if (durable === null) return 0
  const { goal, constraints, decisions, links } = durable
  return Math.max(0, ...[goal, ...constraints, ...decisions, ...links].map((told) => told?.turn ?? 0))
}

function gather(found: Gathered, { kind, text }: SummaryItem): void {
  if (VOLATILE.test(text)) return
  if (labeled(found, text)) return
  switch (kind) {
    case 'goal':
    case 'task':
      byGoal(found, kind, text)
      return
    case 'constraints':
      found.constraints.push(text)
      return
    case 'decisions':
      found.decisions.push(text)
      return
    case 'next-steps':
      if (!TROUBLE.test(text) && !NO_STEP.test(text)) found.planned.push(text)
      return
    case 'done':
    case 'progress':
    case 'files':
      byWork(found, text)
      return
    case 'in-progress':
    case 'blocked':
    case 'pending':
      return
    default:
      if (!TROUBLE.test(text) || MENDED.test(text)) found.context.push(text)
  }
}

/** Lines that say by their label what they are, wherever they stand. */
function labeled(found: Gathered, text: string): boolean {
  const put = (list: string[], label: RegExp): boolean => {
    if (!label.test(text)) return false
    list.push(text.replace(label, ''))
    return true
  }
  if (text.startsWith(LINE.state)) {
    found.state = text.slice(LINE.state.length)
    return true
  }
  if (LINKS.test(text)) {
    addAll(found.links, text.replace(LINKS, '').split(/, | /).flatMap(linksIn))
    return true
  }
  if (text.startsWith(LINE.names)) {
    addAll(found.names, text.slice(LINE.names.length).split(', '))
    return true
  }
  // Kept with their leads: who said it is part of what they say.
  if (isProjectRule(text)) return found.projectRules.push(text) > 0
  if (isPreference(text)) return found.constraints.push(text) > 0
  if (DECIDED.test(text)) return found.decisions.push(text) > 0
  if (FILE.test(text)) {
    found.modified.push({ path: text.replace(FILE, ''), how: 'edited' })
    return true
  }
  return (
    put(found.newest, NEWEST) ||
    put(found.goal, GOAL) ||
    put(found.constraints, CONSTRAINT) ||
    put(found.decisions, DECISION) ||
    put(found.done, RAN)
  )
}

const QUOTED = /^(?:The user said: )?["“](.{2,4000})["”]$/s

/** Goals in others' words; where they quote the user, the user's rules are read from the quotation. */
function byGoal(found: Gathered, kind: 'goal' | 'task', text: string): void {
  const quoted = QUOTED.exec(text)?.[1]
  const rules = ruleSentences(quoted ?? text)
  addAll(found.constraints, rules)
  if (kind === 'goal' && (quoted === undefined || rules.length === 0)) found.goal.push(text)
}

function byWork(found: Gathered, text: string): void {
  const files = filesFrom(text)
  if (files !== null) addAll(found.modified, files)
  else if (
    / \((?:modified|written|edited|deleted|moved)\)$/.test(text) &&
    !/\s/.test(text.slice(0, text.lastIndexOf(' (')))
  )
    found.modified.push({ path: text.slice(0, text.lastIndexOf(' (')), how: 'edited' })
  else if (!/^\S+ \(read\)$/.test(text)) found.done.push(text)
}
