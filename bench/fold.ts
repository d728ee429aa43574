// What a history of many parts costs in time: parts side by side and their merge, beside one part after the other.
import { agentText } from './agent-text.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const UPSTREAM_MS = 200
const ROUNDS = 5
const WINDOW_TOKENS = 16_000
const SIZES = [8, 64]
/** Room for everything that is asked here, and for others. */
const MAX_CONCURRENCY = 128
const INSTRUCTIONS = 'Summarise the conversation above in a few sentences.'

interface Folded {
  readonly attempts: readonly { readonly outcome: string }[]
  readonly calls?: readonly { readonly kind: string }[]
}

/**
 * Prints one table: the median time of a folded /summarize in each mode, beside a prompt that one call answers. What that
 * one takes (the upstream's delay and the way there and back) is the latency the others are counted in.
 */
export async function foldBench(): Promise<void> {
  console.log(`\n### Folding, upstream ${UPSTREAM_MS} ms a call, ${MAX_CONCURRENCY} places (median of ${ROUNDS})\n`)
  console.log('| mode | parts | calls | ms | upstream latencies |')
  console.log('| --- | --- | --- | --- | --- |')
  const one = await measure('parallel', 1)
  const print = (name: string, { parts, calls, ms }: typeof one) =>
    console.log(`| ${[name, parts, calls, ms.toFixed(0), (ms / one.ms).toFixed(2)].join(' | ')} |`)
  print('one call', one)
  for (const parts of SIZES) print('parallel', await measure('parallel', parts))
  print('sequential', await measure('sequential', SIZES[0] ?? 1))
}

async function measure(mode: 'parallel' | 'sequential', parts: number) {
  const upstream = await slowUpstream(UPSTREAM_MS, 'They moved the parser and ran its tests.')
  const service = await startRecapd({
    ...UNLIMITED,
    providers: places(upstream.url),
    fold: { mode },
  })
  const rounds: { ms: number; parts: number; calls: number }[] = []
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const startedAt = performance.now()
      const answer = await summarize(service.port, historyOf(round, parts))
      const ms = performance.now() - startedAt
      // The first round is for the compiler.
      if (round > 0) rounds.push({ ms, parts: partsOf(answer), calls: answer.attempts.length })
    }
  } finally {
    await service.stop()
    upstream.close()
  }
  const middle = rounds.toSorted((a, b) => a.ms - b.ms)[Math.floor(ROUNDS / 2)]
  if (middle === undefined) throw new Error('nothing was measured')
  return middle
}

/** The provider, with room. */
function places(url: string) {
  const { mock } = mockProvider(url, { contextWindow: WINDOW_TOKENS, maxOutputTokens: 1_000 })
  return { mock: { ...mock, maxConcurrency: MAX_CONCURRENCY } }
}

const partsOf = ({ calls }: Folded) => Math.max(1, (calls ?? []).filter(({ kind }) => kind === 'part').length)

/** Blocks of some 1000 tokens, as many as fill the parts; the number makes each round's history new. */
function historyOf(round: number, parts: number): string {
  const block = agentText(4_000)
  const blocks = Array.from(
    { length: parts * 10 },
    (_, i) => `[${i % 2 === 0 ? 'User' : 'Assistant'}]: ${round}.${i} ${block}`,
  )
  return `<conversation>\n${blocks.join('\n\n')}\n</conversation>\n\n${INSTRUCTIONS}`
}

async function summarize(port: number, prompt: string): Promise<Folded> {
  const response = await fetch(`http://127.0.0.1:${port}/summarize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ systemPrompt: 'You summarise.', prompt }),
  })
  if (response.status !== 200) throw new Error(`the service answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Folded
}

if (import.meta.main) await foldBench()
