// What a compaction costs beside its model calls, measured in the time JSON.parse takes for the same bytes.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { planCompaction } from '../src/domain/compaction/plan.ts'
import { applyPruning, DEFAULT_PRUNE, pruneToolOutputs } from '../src/domain/compaction/prune-entries.ts'
import { summarizeExtractively } from '../src/domain/extractive/summarize-extractively.ts'
import { liveRegion } from '../src/domain/session/live.ts'
import { messagesToConversation } from '../src/domain/session/messages-to-conversation.ts'
import { pathTo } from '../src/domain/session/path.ts'
import { readSession } from '../src/domain/session/session.ts'
import { serialize } from '../src/domain/transcript/serialize.ts'
import { noHooks } from '../src/hooks/hooks.ts'
import { silentPipelineObserver } from '../src/hooks/pipeline-observer.ts'
import type { Completion, Models } from '../src/models/model.ts'
import { compactionItems } from '../src/pipelines/items/compaction-items.ts'
import type { PipelineDeps } from '../src/pipelines/pipeline-context.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../src/prompts/load-prompts.ts'
import type { WorkCall } from '../src/requests/call.ts'
import { execute } from '../src/requests/execute.ts'
import { median } from './median.ts'
import { ompPrompt } from './omp-prompt.ts'
import { installPeers } from './peers.ts'
import { sessionEntries } from './pipeline-session.ts'

const decoder = new TextDecoder()
const KEEP_TOKENS = 20_000
const SMALL = { entries: 5_000, rounds: 30 }
const LARGE = { entries: 50_000, rounds: 5 }
const EMBEDDED_BYTES = 1_000_000
const EMBEDDED_ROUNDS = 15
const PI = '@mariozechner/pi-coding-agent@0.73.1'

/** Prints one table for 5 000 and 50 000 entries of 1 kB, and beside it what pi's own functions take for the same file. */
export async function pipelineBench(): Promise<void> {
  console.log(
    '\n### Compacting a session, model calls taken out (medians; × is the time of JSON.parse on the same bytes)\n',
  )
  console.log('| entries | MB | JSON.parse ms | path + prune + plan | × | everything | × |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  const small = await measure(SMALL)
  const large = await measure(LARGE)
  const growth = (name: 'plan' | 'whole') => ((large[name] / small[name] / LARGE.entries) * SMALL.entries).toFixed(2)
  console.log(`\nTen times the entries, time per entry: plan × ${growth('plan')}, everything × ${growth('whole')}`)
  await besidePi()
  await embedded()
}

interface Size {
  readonly entries: number
  readonly rounds: number
}

/** Every round begins with freshly parsed objects: what was measured once is remembered by object. */
async function measure({ entries, rounds }: Size) {
  const body = JSON.stringify({ entries: sessionEntries(entries), settings: { keepRecentTokens: KEEP_TOKENS } })
  const bytes = Buffer.from(body)
  const deps = instantModel()
  const times = await medians(rounds, {
    parse: () => ({ run: () => JSON.parse(decoder.decode(bytes)) }),
    plan: () => {
      const rows = (JSON.parse(body) as { entries: readonly object[] }).entries
      return { run: () => planOf(rows) }
    },
    whole: () => ({ run: () => execute({ call: callOf(bytes), deps }, new AbortController().signal) }),
  })
  const { parse = 0, plan = 0, whole = 0 } = times
  const cells = [entries, (bytes.length / 1e6).toFixed(1), parse.toFixed(1), plan.toFixed(1), (plan / parse).toFixed(2)]
  console.log(`| ${[...cells, whole.toFixed(1), (whole / parse).toFixed(2)].join(' | ')} |`)
  return { parse, plan, whole }
}

function planOf(rows: readonly object[]) {
  const entries = pathTo(readSession(rows))
  const pruned = pruneToolOutputs(entries, DEFAULT_PRUNE)
  const live = liveRegion(applyPruning(entries, pruned, 1))
  return planCompaction({ live, keepRecentTokens: KEEP_TOKENS, tokensSaved: pruned.tokensSaved })
}

/** pi's functions and ours on the same entries: what is cut, and the text that a model reads. */
async function besidePi(): Promise<void> {
  const pi = await piFunctions()
  const body = JSON.stringify(sessionEntries(SMALL.entries).slice(1))
  const settings = { enabled: true, reserveTokens: 16_384, keepRecentTokens: KEEP_TOKENS }
  const wrappers = { compactionSummary: (text: string) => text, branchSummary: (text: string) => text }
  const parsed = () => JSON.parse(body) as readonly { readonly message: { readonly role: string } }[]
  const times = await medians(SMALL.rounds, {
    ourPlan: () => {
      const rows = parsed()
      return { run: () => planOf(rows) }
    },
    piPlan: () => {
      const rows = parsed()
      return { run: () => pi.prepareCompaction(rows, settings) }
    },
    ourText: () => {
      const messages = parsed().map(({ message }) => message)
      // Read at one place: the engine puts a text of many pieces together when it is first read.
      return { run: () => serialize(messagesToConversation(messages, wrappers)).charCodeAt(0) }
    },
    piText: () => {
      const messages = parsed().map(({ message }) => message)
      return { run: () => pi.serializeConversation(messages).charCodeAt(0) }
    },
  })
  const { ourPlan = 0, piPlan = 0, ourText = 0, piText = 0 } = times
  console.log(`\n| ${SMALL.entries} entries | recapd ms | ${PI} ms | ratio |`)
  console.log('| --- | --- | --- | --- |')
  console.log(
    `| path, pruning and cut point | ${ourPlan.toFixed(1)} | ${piPlan.toFixed(1)} | ${(ourPlan / piPlan).toFixed(2)} |`,
  )
  console.log(
    `| transcript (ours without secrets) | ${ourText.toFixed(1)} | ${piText.toFixed(1)} | ${(ourText / piText).toFixed(2)} |`,
  )
}

/** The model without a language model, on a prompt as omp sends it. */
async function embedded(): Promise<void> {
  const prompt = ompPrompt(EMBEDDED_BYTES)
  const { whole = 0 } = await medians(EMBEDDED_ROUNDS, {
    whole: () => ({ run: () => summarizeExtractively({ prompt: `${prompt} ` }) }),
  })
  const megabytes = Buffer.byteLength(prompt) / 1e6
  console.log(
    `\nThe embedded model: ${(whole / megabytes).toFixed(1)} ms a MB (${megabytes.toFixed(1)} MB, Node ${process.version})`,
  )
}

interface PiFunctions {
  prepareCompaction(entries: readonly object[], settings: object): unknown
  serializeConversation(messages: readonly object[]): string
}

async function piFunctions(): Promise<PiFunctions> {
  const folder = path.join(installPeers([PI]), 'node_modules/@mariozechner/pi-coding-agent/dist/core/compaction')
  return (await import(pathToFileURL(path.join(folder, 'index.js')).href)) as PiFunctions
}

type Stage = () => { run(): unknown }

/** Milliseconds by stage. The stages take turns, so that a busy moment of the machine meets all of them; a third of all rounds is warm-up. */
async function medians(rounds: number, stages: Readonly<Record<string, Stage>>): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(stages).map((name) => [name, []]))
  const warmUp = Math.ceil(rounds / 2)
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [name, stage] of Object.entries(stages)) {
      const { run } = stage()
      const startedAt = performance.now()
      await run()
      if (round >= warmUp) times.get(name)?.push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries(Array.from(times, ([name, list]) => [name, median(list)]))
}

const callOf = (bytes: Uint8Array): WorkCall => ({
  endpoint: 'compact',
  mediaType: 'json',
  bytes,
  query: {},
  context: {
    requestId: 'bench',
    callerName: 'bench',
    deadlineAt: Date.now() + 60_000,
    noCache: false,
    wantsEvents: false,
    readWarnings: [],
  },
})

/** Pipelines over a model that answers at once. */
function instantModel(): PipelineDeps {
  const facts = { id: 'bench/instant', contextWindow: 200_000 }
  const answer: Completion = {
    text: '## Goal\nWork on src/module-1/file-1.ts.\n\n## Progress\n### Done\n- [x] all of it',
    model: facts.id,
    usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
    truncated: false,
    degraded: false,
    attempts: [],
    calls: [],
    warnings: [],
    method: 'model',
  }
  const models: Models = {
    known: [facts],
    chain: [facts.id],
    pinned: () => models,
    select: () => ({ ...facts, candidates: [facts], complete: async () => answer }),
  }
  return {
    models,
    prompts: loadPrompts(PROMPTS_FOLDER, undefined),
    hooks: noHooks,
    observer: silentPipelineObserver,
    defaults: {
      compaction: { enabled: true, autoContinue: true },
      branchReserveTokens: 16_384,
      auditSummarize: true,
      aheadTtlMs: 60_000,
    },
    lock: async () => 'taken',
    items: compactionItems(undefined),
    shelf: { get: async () => undefined, set: async () => {} },
    now: () => Date.now(),
    newId: () => 'cccccccc',
  }
}

if (import.meta.main) await pipelineBench()
