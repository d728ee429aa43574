import { cutMiddle } from '../../../domain/text/cut-middle.ts'
import { render } from '../../../domain/text/render.ts'
import { bytesOfTokens, textTokens } from '../../../domain/tokens/text-tokens.ts'
import { foldBudget } from '../../../domain/transcript/fold-budget.ts'
import { type FoldFrame, framedPrompt, mergePrompt } from '../../../domain/transcript/fold-frame.ts'
import type { FoldFigures, FoldPlan } from '../../../domain/transcript/fold-plan.ts'
import { type Run, splitBalanced } from '../../../domain/transcript/split.ts'
import type { Clock } from '../../clock.ts'
import type { Completion, CompletionRequest, Model } from '../../model.ts'
import { ModelError } from '../../model-error.ts'
import type { ModelObserver } from '../../observer.ts'
import { type Prompt, textPrompt } from '../../prompt.ts'
import { atMost, inParallel } from '../../signals/in-parallel.ts'
import { turnsForOthers } from '../../signals/let-others.ts'
import { foldPartText, isLongPart, partOf, partPrompt } from './part.ts'

export interface FoldOptions {
  readonly mode: 'parallel' | 'sequential'
  /** Calls at once, per request; undefined: as many as the provider has free places for, and at least four. */
  readonly concurrency?: number | undefined
  /** Places of the provider that nobody has and nobody waits for. */
  readonly freePlaces: () => number
  /** `prompts/fold-part.md`, `fold-merge.md` and, for sequential reading, `compaction-update-summary.md`. */
  readonly templates: { readonly part: string; readonly merge: string; readonly update: string }
  readonly clock: Clock
  readonly observer: ModelObserver
  /** Where long prompts are planned; in this thread unless a worker is given (workers/offload.ts). */
  readonly plan?: (prompt: Prompt, figures: FoldFigures, signal: AbortSignal) => Promise<FoldPlan>
}

/** One request being folded, with the figures its plan was made with. */
export interface FoldRun extends FoldOptions {
  readonly model: Model
  readonly request: CompletionRequest
  readonly windowTokens: number
  readonly maxTokens: number
  readonly systemTokens: number
  readonly ask: (kind: string, request: CompletionRequest, signal: AbortSignal) => Promise<Completion>
}

type Parts = Extract<FoldPlan, { kind: 'parts' }>

/** Kind of the one call of a prompt that needs no folding. */
export const WHOLE = 'whole'

/** Tags around one summary in a merge prompt. */
const TAG_TOKENS = 20
const LEAST_SUMMARY_TOKENS = 64
/** Two summaries beside a carried one that takes the other half. */
const LEAST_MERGE_TOKENS = 4 * (LEAST_SUMMARY_TOKENS + TAG_TOKENS)

/** Asks for each part of the plan, then for their merge. */
export async function foldParts(run: FoldRun, plan: Parts, signal: AbortSignal): Promise<Completion> {
  const { parts } = plan
  if (parts.length > 1) run.observer.foldParts(parts.length)
  const answer =
    parts.length === 1
      ? await onePart(run, plan, signal)
      : run.mode === 'sequential'
        ? await oneAfterTheOther(run, plan, signal)
        : await sideBySide(run, plan, signal)
  const method = parts.length === 1 ? answer.method : 'fold'
  return { ...answer, method, warnings: [...answer.warnings, ...cutWarnings(plan)] }
}

/** A message had to be cut and then all of it fits, or only the carried summary is too long. */
function onePart(run: FoldRun, { frame, parts }: Parts, signal: AbortSignal): Promise<Completion> {
  const [only] = parts
  const conversation = only === undefined ? '' : foldPartText(only, run.request.prompt)
  const prompt = textPrompt(framedPrompt(frame, conversation, carriedBeside(run, frame, conversation)))
  return run.ask(WHOLE, { ...run.request, maxTokens: run.maxTokens, prompt }, signal)
}

async function oneAfterTheOther(run: FoldRun, { frame, parts }: Parts, signal: AbortSignal): Promise<Completion> {
  // A prompt that holds a summary brings its own words for updating it.
  const lead = frame.previousSummary === undefined ? run.templates.update : undefined
  let last: Completion | undefined
  for (const [i, part] of parts.entries()) {
    const text = foldPartText(part, run.request.prompt)
    const more = last === undefined ? carriedBeside(run, frame, text) : { lead, carried: last.text }
    const request = i === parts.length - 1 ? run.request : partOf(run.request)
    last = await run.ask(
      'part',
      { ...request, maxTokens: run.maxTokens, prompt: textPrompt(framedPrompt(frame, text, more)) },
      signal,
    )
  }
  if (last === undefined) throw new RangeError('A fold has at least one part')
  return last
}

async function sideBySide(run: FoldRun, { frame, parts }: Parts, signal: AbortSignal): Promise<Completion> {
  const merge = mergeOf(run, frame)
  const turn = turnsForOthers()
  const summaries = await inParallel(
    {
      items: parts,
      room: roomOf(run),
      run: async (part, i, own) => {
        if (isLongPart(part)) await turn()
        own.throwIfAborted()
        const lead = render(run.templates.part, { part: i + 1, parts: parts.length })
        const prompt = partPrompt(part, run.request.prompt, { frame, lead })
        const maxTokens = Math.min(run.maxTokens, merge.summaryTokens)
        return (await run.ask('part', { ...partOf(run.request), maxTokens, prompt }, own)).text
      },
    },
    signal,
  )
  return merged(run, merge, summaries, signal)
}

/** The default. Where the provider has no place for them, they wait. */
const LEAST_AT_ONCE = 4

const roomOf = ({ concurrency, freePlaces }: FoldRun) =>
  concurrency === undefined ? (running: number) => Math.max(LEAST_AT_ONCE - running, freePlaces()) : atMost(concurrency)

/** One merge; where the summaries are too many for it, merges of neighbours first. Each round has half as many or fewer. */
async function merged(run: FoldRun, merge: Merge, parts: readonly string[], signal: AbortSignal): Promise<Completion> {
  const promptOf = (summaries: readonly string[], carried?: string) => {
    const lead = render(run.templates.merge, { parts: summaries.length })
    return textPrompt(mergePrompt(merge.frame, summaries, { lead, carried }))
  }
  let summaries = parts
  for (;;) {
    const fitting = summaries.map((text) => cutMiddle(text, bytesOfTokens(merge.summaryTokens)).text)
    const sizes = fitting.map((text) => textTokens(text) + TAG_TOKENS)
    const groups = splitBalanced(sizes, merge.mostTokens)
    if (groups.length === 1) {
      const prompt = promptOf(fitting, merge.carried)
      return run.ask('merge', { ...run.request, maxTokens: run.maxTokens, prompt }, signal)
    }
    const mergeGroup = async ({ from, to }: Run, own: AbortSignal) => {
      const group = fitting.slice(from, to)
      if (group.length === 1) return group[0] ?? ''
      const maxTokens = Math.min(run.maxTokens, merge.summaryTokens)
      return (await run.ask('merge', { ...partOf(run.request), maxTokens, prompt: promptOf(group) }, own)).text
    }
    summaries = await inParallel(
      { items: groups, room: roomOf(run), run: (group, _i, own) => mergeGroup(group, own) },
      signal,
    )
  }
}

/** What a merge of this prompt can hold, in tokens. */
interface Merge {
  readonly frame: FoldFrame
  readonly carried?: string | undefined
  /** All summaries of one merge together. */
  readonly mostTokens: number
  /** One of them: two must fit, or merging would not end. */
  readonly summaryTokens: number
}

function mergeOf(run: FoldRun, frame: FoldFrame): Merge {
  const { windowTokens, maxTokens } = run
  const instructionTokens = frameTokens(run, frame) + textTokens(run.templates.merge)
  const allTokens = foldBudget({ windowTokens, maxTokens, carriedTokens: 0, instructionTokens })
  if (allTokens < LEAST_MERGE_TOKENS) throw new ModelError(run.model.id, 'overflow')
  const carried = carriedWithin(frame, Math.floor(allTokens / 2))
  const mostTokens = allTokens - textTokens(carried.carried ?? '')
  return { frame, ...carried, mostTokens, summaryTokens: Math.floor(mostTokens / 2) - TAG_TOKENS }
}

function carriedBeside(run: FoldRun, frame: FoldFrame, conversation: string): { carried?: string | undefined } {
  return carriedWithin(frame, run.windowTokens - run.maxTokens - frameTokens(run, frame) - textTokens(conversation))
}

function frameTokens(run: FoldRun, frame: FoldFrame): number {
  return run.systemTokens + textTokens(frame.before) + textTokens(frame.between) + textTokens(frame.instructions)
}

/** The previous summary, cut in its middle in the rare case that it alone would fill the room. */
function carriedWithin({ previousSummary }: FoldFrame, roomTokens: number): { carried?: string | undefined } {
  if (previousSummary === undefined) return {}
  return { carried: cutMiddle(previousSummary, bytesOfTokens(Math.max(LEAST_SUMMARY_TOKENS, roomTokens))).text }
}

function cutWarnings({ parts }: Parts): string[] {
  const removed = parts.reduce((sum, part) => sum + part.removed, 0)
  return removed === 0 ? [] : [`Messages larger than the model can hold were cut: ${removed} characters left out.`]
}
