import { isRecord } from '../is-record.ts'
import { DIALECTS, type Dialect, type Fit, type Loose } from './codec.ts'
import { CODECS } from './codecs.ts'

/** The dialect of a list, or the first row that keeps it from having one, and why in our own words. */
export type Detected =
  | { readonly dialect: Dialect }
  | { readonly path: readonly (string | number)[]; readonly message: string; readonly isForDisplay: boolean }

/** Dialects in which parts have a `type`: a type that only the others know is not one of its own. */
const TYPED: readonly Dialect[] = ['openai', 'anthropic', 'responses', 'vercel']

/** `weak` rows and `own` rows of a dialect so far. */
interface Candidate {
  readonly dialect: Dialect
  hasOwn: boolean
  /** First row that needs another row to vouch for it. */
  weak: number | null
}

/**
 * The one dialect in which every row can be written (docs/spec/reading.md §3); where several remain, one that a row can only
 * belong to, else the first of the list. `format`: the only one that is tried.
 */
export function detectDialect(messages: readonly unknown[], format?: Dialect): Detected {
  let left: Candidate[] = (format === undefined ? DIALECTS : [format]).map((dialect) => ({
    dialect,
    hasOwn: false,
    weak: null,
  }))
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) return fault([index], 'expected an object')
    if (isUiMessage(message)) return forDisplay(message, index)
    const fitting = left.filter((candidate) => takes(candidate, message, index))
    if (fitting.length === 0) return unfit(message, index, { left: left.map(({ dialect }) => dialect), format })
    left = fitting
  }
  const sure = left.filter(({ weak, hasOwn }) => weak === null || hasOwn)
  const best = sure.find(({ hasOwn }) => hasOwn) ?? sure[0]
  if (best !== undefined) return { dialect: best.dialect }
  return fault([left[0]?.weak ?? 0], 'this row is of no dialect that is read')
}

function takes(candidate: Candidate, message: Loose, index: number): boolean {
  const fit = fitOf(candidate.dialect, message, candidate.hasOwn)
  if (fit === 'own') candidate.hasOwn = true
  if (fit === 'weak') candidate.weak ??= index
  return fit !== 'no'
}

/** `isSure`: a row before was of this dialect alone, so no other one is asked about parts that it knows. */
function fitOf(dialect: Dialect, message: Loose, isSure: boolean): Fit {
  // A row of parts without a content is Gemini's: elsewhere its words would be lost.
  if (dialect !== 'gemini' && Array.isArray(message['parts']) && message['content'] === undefined) return 'no'
  const codec = CODECS[dialect]
  const fit = codec.fit(message)
  const blocks = fit === 'no' ? null : codec.blocksOf(message)
  if (blocks === null) return 'no'
  if (fit === 'weak' || !TYPED.includes(dialect)) return fit
  let own = fit === 'own'
  for (const block of blocks) {
    if (typeof block === 'string') continue
    if (!isRecord(block) || typeof block['type'] !== 'string') return 'no'
    const isKnown = codec.knows(block)
    if (isKnown && (own || isSure)) continue
    const isOthers = TYPED.some((other) => other !== dialect && CODECS[other].knows(block))
    if (!isKnown && isOthers) return 'no'
    own ||= isKnown && !isOthers
  }
  return own ? 'own' : 'may'
}

function unfit(
  message: Loose,
  index: number,
  { left, format }: { readonly left: readonly Dialect[]; readonly format: Dialect | undefined },
): Detected {
  const others = DIALECTS.filter((dialect) => !['no', 'weak'].includes(fitOf(dialect, message, false)))
  if (others.length > 0) {
    const rest = format === undefined ? `the rows before it are of ${left.join(' or ')}` : `format says ${format}`
    return fault([index], `this row is of ${others.join(' or ')}, ${rest}`)
  }
  return fault([index, ...partPath(message)], 'this row is of no dialect that is read')
}

function forDisplay(message: Loose, index: number): Detected {
  const path = Array.isArray(message['parts']) ? [index, 'parts'] : [index]
  return { path, message: 'this is a message made to be shown', isForDisplay: true }
}

function fault(path: readonly (string | number)[], message: string): Detected {
  return { path, message, isForDisplay: false }
}

/** Where in a row the first thing stands that nobody can read. */
function partPath({ content, tool_calls: calls }: Loose): readonly (string | number)[] {
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) return ['tool_calls']
  if (!Array.isArray(content))
    return content === undefined || content === null || typeof content === 'string' ? [] : ['content']
  const at = content.findIndex((part: unknown) => !isRecord(part) && typeof part !== 'string')
  return at < 0 ? [] : ['content', at]
}

/** An AI SDK UIMessage: parts with a type, or the calls of the form before. */
function isUiMessage(message: Loose): boolean {
  const { role, parts, toolInvocations } = message
  if (typeof role !== 'string') return false
  if (Array.isArray(toolInvocations)) return true
  return (
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every((part: unknown) => isRecord(part) && typeof part['type'] === 'string')
  )
}
