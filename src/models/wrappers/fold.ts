import { mostTextTokens, textTokens } from '../../domain/tokens/text-tokens.ts'
import { type FoldFigures, type FoldPlan, planFold } from '../../domain/transcript/fold-plan.ts'
import { withAttempts } from '../failures/attempts.ts'
import { type Completion, type CompletionRequest, type Model, wrapModel } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { outputCap } from '../output-cap.ts'
import { promptTokens, readPrompt } from '../prompt.ts'
import { type CallLedger, openLedger } from './folding/call-ledger.ts'
import { type FoldOptions, type FoldRun, foldParts, WHOLE } from './folding/fold-parts.ts'
import { learnedWindow } from './folding/learned-window.ts'

/** Each halves the window; a model that refuses this many times is not refusing the length. */
const MOST_REPLANS = 4
/** Nothing is folded where less room than this is left for an answer. */
const LEAST_ANSWER_TOKENS = 256

/**
 * Lets a model answer prompts larger than its window: in parts, then one merge (docs/spec/models.md §6). An overflow in spite of the
 * estimate teaches a smaller window, and the fold is planned again. Throws `overflow` for what cannot or must not be folded.
 */
export function withFold(model: Model, options: FoldOptions): Model {
  const learned = learnedWindow(model.contextWindow, options.clock)
  return wrapModel(model, async (request, signal) => {
    const ledger = openLedger(options.clock, ({ system, prompt }, { outcome }) => {
      if (outcome === 'overflow') learned.overflowed(textTokens(system) + promptTokens(prompt))
    })
    for (let replans = 0; ; replans += 1) {
      const windowTokens = learned.now()
      try {
        return await onePlan({ model, options, request, ledger, windowTokens }, signal)
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError)) throw error
        const again = error.outcome === 'overflow' && learned.now() < windowTokens && request.fold !== false
        // Its own rows are in the ledger already, with those of the calls that ended before it.
        if (!again || replans === MOST_REPLANS) {
          const failure = withLeftover(withAttempts(error, ledger.attempts(), ledger.usage()), ledger)
          throw error.outcome === 'overflow' ? withWindow(failure, windowTokens) : failure
        }
      }
    }
  })
}

interface OnePlan {
  readonly model: Model
  readonly options: FoldOptions
  readonly request: CompletionRequest
  readonly ledger: CallLedger
  readonly windowTokens: number
}

function onePlan(asked: OnePlan, signal: AbortSignal): Promise<Completion> {
  const { model, options, ledger, windowTokens } = asked
  const maxTokens = Math.max(1, Math.min(outputCap(model, asked.request), Math.floor(windowTokens / 2)))
  // Most prompts are far from the window: they need be neither taken apart nor counted to know it.
  const roomyTokens = Math.floor(0.8 * windowTokens) - maxTokens
  const { system, prompt } = asked.request
  if (mostTextTokens(system) + prompt.mostTokens <= roomyTokens) return askWhole(asked, maxTokens, signal)
  const request = { ...asked.request, prompt: readPrompt(prompt) }
  const now = { ...asked, request }
  const systemTokens = textTokens(request.system)
  const totalTokens = systemTokens + promptTokens(request.prompt)
  if (totalTokens <= roomyTokens) return askWhole(now, maxTokens, signal)
  const ask: FoldRun['ask'] = (kind, part, own) => ledger.ask({ kind, model, request: part }, own)
  const run = { ...options, model, request, windowTokens, maxTokens, systemTokens, ask }
  return askAsPlanned(now, run, windowTokens - totalTokens, signal)
}

/** One call for all of it. */
function askWhole({ model, request, ledger }: OnePlan, maxTokens: number, signal: AbortSignal): Promise<Completion> {
  const call = { kind: WHOLE, model, request: { ...request, maxTokens } }
  return ledger.ask(call, signal).then((answer) => withTotals(answer, ledger))
}

/** A prompt near its window or over it; `roomTokens` is what it leaves for an answer. */
async function askAsPlanned(now: OnePlan, run: FoldRun, roomTokens: number, signal: AbortSignal): Promise<Completion> {
  const { model, request, ledger } = now
  const plan = await planned(run, signal)
  switch (plan.kind) {
    case 'whole':
      return askWhole(now, run.maxTokens, signal)
    case 'unfoldable': {
      if (roomTokens < Math.min(run.maxTokens, LEAST_ANSWER_TOKENS)) throw new ModelError(model.id, 'overflow')
      return askWhole(now, Math.min(run.maxTokens, roomTokens), signal)
    }
    case 'parts': {
      if (request.fold === false) throw new ModelError(model.id, 'overflow')
      return withTotals(await foldParts(run, plan, signal), ledger)
    }
  }
}

function planned(run: FoldRun, signal: AbortSignal): Promise<FoldPlan> {
  const { templates, mode, maxTokens } = run
  const sequential = mode === 'sequential'
  const { prompt } = run.request
  const figures: FoldFigures = {
    systemTokens: run.systemTokens,
    windowTokens: run.windowTokens,
    maxTokens,
    leadTokens: textTokens(sequential ? templates.update : templates.part),
    carryTokens: sequential ? maxTokens : 0,
  }
  return run.plan === undefined
    ? Promise.resolve(planFold({ ...figures, prompt: prompt.text }))
    : run.plan(prompt, figures, signal)
}

/** A refused merge still belongs to the fold. */
function withLeftover(error: ModelError, ledger: CallLedger): ModelError {
  const { leftover } = error.facts
  if (leftover === undefined || ledger.completions().length === 0) return error
  const calls = ledger.calls().filter(({ kind }) => kind !== WHOLE)
  const completion: Completion = { ...leftover.completion, method: 'fold', calls }
  return new ModelError(error.model, error.outcome, { ...error.facts, leftover: { ...leftover, completion } })
}

/** Says which window was too small: what was learned of this model says nothing of another of its size. */
const withWindow = ({ model, outcome, facts }: ModelError, windowTokens: number): ModelError =>
  new ModelError(model, outcome, { ...facts, windowTokens })

/** The answer with the attempts and costs of all its calls; `calls` only where there was more than one. */
function withTotals(answer: Completion, ledger: CallLedger): Completion {
  const completions = ledger.completions()
  if (completions.length === 1 && ledger.calls().length === 1) return answer
  const warnings = [...new Set([...completions.flatMap((one) => one.warnings), ...answer.warnings])]
  return {
    ...answer,
    usage: ledger.usage(),
    attempts: ledger.attempts(),
    warnings,
    truncated: completions.some(({ truncated }) => truncated),
    degraded: completions.some(({ degraded }) => degraded),
    calls: completions.length > 1 ? ledger.calls().filter(({ kind }) => kind !== WHOLE) : answer.calls,
  }
}
