import { ledger } from '../../domain/ledger/ledger.ts'
import { truthScore } from '../../domain/summary/truth-score.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { CommandError, EXIT, type RunCommand, textOption, UsageError } from './command.ts'
import { evalTable, type Measured } from './eval-table.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import { type Input, readInput } from './read-input.ts'
import { summarizeConversation } from './summarize-conversation.ts'
import { wholeConversation } from './whole-conversation.ts'

/** `recapd eval FILES… --models A,B`: each model summarizes each file, and is measured by what the ledger says of that file. */
export const evalCommand: RunCommand = async (args, signal) => {
  const models = modelsOf(textOption(args, 'models'))
  const inputs = await Promise.all(args.names.map(readInput))
  const { openPipelines } = await import('./open-pipelines.ts')
  const pipelines = await openPipelines()
  try {
    refuseUnknown(models, pipelines)
    const measured: Measured[] = []
    // One after the other: what runs at the same time would count as latency.
    for (const model of models)
      for (const input of inputs) measured.push(await measure(pipelines, { input, model }, signal))
    process.stdout.write(`${evalTable(measured)}\n`)
    const silent = models.filter((model) => measured.every((row) => row.model !== model || row.score === undefined))
    if (silent.length > 0) throw new CommandError(EXIT.unavailable, `no answer from ${silent.join(', ')}`)
  } finally {
    await pipelines.close()
  }
}

function modelsOf(text: string | undefined): readonly string[] {
  const models = [...new Set((text ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (models.length === 0) throw new UsageError('--models takes the models to compare, separated by commas')
  return models
}

function refuseUnknown(models: readonly string[], { deps }: OpenPipelines): void {
  const known = deps.models.known.map(({ id }) => id)
  const unknown = models.filter((model) => !known.includes(model))
  if (unknown.length === 0) return
  throw new CommandError(EXIT.data, `not configured: ${unknown.join(', ')}; known: ${known.join(', ')}`)
}

/** One summary of one file by one model, and nobody in its place. */
async function measure(
  pipelines: OpenPipelines,
  { input, model }: { readonly input: Input; readonly model: string },
  signal: AbortSignal,
): Promise<Measured> {
  const conversation = await wholeConversation(pipelines, input, signal)
  const beganAt = performance.now()
  try {
    const { summary, usage } = await summarizeConversation(
      pipelines,
      { name: input.name, conversation, onlyModel: model },
      signal,
    )
    const latencyMs = performance.now() - beganAt
    const score = truthScore(summary, conversation, ledger(conversation))
    tell(`${model}: ${input.name}: truth ${score.truth.toFixed(2)}, ${Math.round(latencyMs)} ms`)
    return { model, score, tokens: textTokens(summary), costUsd: usage.costUsd, latencyMs }
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.unavailable) throw error
    console.error(`recapd: ${error.message}`)
    return { model }
  }
}

function tell(line: string): void {
  if (process.stderr.isTTY) console.error(line)
}
