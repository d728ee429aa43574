import { RecapdError } from '../../domain/errors.ts'
import { type CallRow, type Completion, NO_USAGE, sumUsage, type Usage } from '../../models/model.ts'
import { atMost, inParallel } from '../../models/signals/in-parallel.ts'
import type { CompactSessionResult } from '../compact-result-schema.ts'
import { type Called, callModel, type PassCaller } from '../model-call.ts'
import { preparedText, type Taken } from './ahead.ts'
import type { SessionPrompts } from './prompts.ts'

/** The texts a compaction is made of, whoever wrote them, and what they cost now. */
export interface SessionAnswers {
  readonly history: string | undefined
  readonly prefix: string | undefined
  readonly short: string | undefined
  readonly method: CompactSessionResult['method']
  /** Why the summary was made without a language model, where that was not wanted. */
  readonly failure: RecapdError | undefined
  readonly degraded: boolean
  readonly calls: readonly CallRow[]
  readonly usage: Usage
  readonly warnings: readonly string[]
}

/** History, prefix and short summary side by side; a short one that fails is a warning, not a failed compaction (§6). */
export async function askModels(
  prompts: SessionPrompts,
  caller: PassCaller,
  signal: AbortSignal,
): Promise<SessionAnswers> {
  const lost: string[] = []
  const asked = (spec: SessionPrompts['history']) => async (inner: AbortSignal) =>
    spec === undefined ? undefined : callModel(spec, caller, inner)
  const tolerant = async (inner: AbortSignal) => {
    try {
      return await asked(prompts.short)(inner)
    } catch (error) {
      inner.throwIfAborted()
      if (!(error instanceof RecapdError)) throw error
      lost.push('The short summary could not be made; the compaction stands without it.')
      return undefined
    }
  }
  const items = [asked(prompts.history), asked(prompts.prefix), tolerant]
  // The first that fails aborts its siblings, so that nothing is paid for a pass that is lost.
  const [history, prefix, short] = await inParallel(
    { items, room: atMost(3), run: (call, _, inner) => call(inner) },
    signal,
  )
  return answersOf({ history, prefix, short }, lost)
}

interface AskedModels {
  readonly history: Called | undefined
  readonly prefix: Called | undefined
  readonly short: Called | undefined
}

function answersOf({ history, prefix, short }: AskedModels, lost: readonly string[]): SessionAnswers {
  const called = [history, prefix, short].filter((each) => each !== undefined)
  // Method, failure and `degraded` are about the summary itself, however the short one was made.
  const own = [history, prefix].filter((each) => each !== undefined)
  const warnings = called.flatMap(({ completion }) => completion.warnings)
  return {
    history: history?.completion.text,
    prefix: prefix?.completion.text,
    short: short?.completion.text,
    method: methodOf(own.map(({ completion }) => completion)),
    failure: own.find(({ failure }) => failure !== undefined)?.failure,
    degraded: own.some(({ completion }) => completion.degraded),
    calls: called.flatMap(({ rows }) => rows),
    usage: sumUsage(called.map(({ completion }) => completion.usage)),
    warnings: [...new Set([...warnings, ...lost])],
  }
}

/** How the summary was really made: the most telling method of its calls. */
function methodOf(completions: readonly Completion[]): CompactSessionResult['method'] {
  const methods = completions.map(({ method }) => method)
  return (['extractive', 'fold', 'moa', 'remote'] as const).find((method) => methods.includes(method)) ?? 'model'
}

/** The answers that were made ahead of time: nobody is asked now. */
export const preparedAnswers = ({ prepared }: Taken): SessionAnswers => ({
  history: prepared.history,
  prefix: prepared.prefix,
  short: prepared.short,
  method: 'prepared',
  failure: undefined,
  degraded: prepared.degraded,
  calls: [],
  usage: NO_USAGE,
  warnings: [],
})

/** New answers on top of prepared ones; where there was nothing new to ask, the prepared text stands. */
export const onTopOf = (
  { prepared }: Taken,
  answers: SessionAnswers,
  previousSummary: string | undefined,
): SessionAnswers => ({
  ...answers,
  history: answers.history ?? preparedText(prepared, previousSummary),
  degraded: answers.degraded || prepared.degraded,
})
