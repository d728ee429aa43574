// What a compaction takes whose summary was made ahead of time, beside a dry run and beside one that has to wait for its model.
import { median } from './median.ts'
import { sessionEntries } from './pipeline-session.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const MODEL_MS = 20_000
const ROUNDS = 7
const ENTRIES = 1_000
const SUMMARY = '## Goal\nFix the modules.\n\n## Next Steps\n- Go on.'

/** Prints one table: medians of one session of about 1 MB, the unprepared one measured once. */
export async function aheadBench(): Promise<void> {
  const upstream = await slowUpstream(MODEL_MS, SUMMARY)
  const service = await startRecapd({
    ...UNLIMITED,
    cache: { ttlMs: 1, maxBytes: 10_000_000 },
    providers: mockProvider(upstream.url, { contextWindow: 2_000_000, maxOutputTokens: 16_000 }),
  })
  const all = sessionEntries(ENTRIES)
  const prepared = all.slice(0, -10)
  const compact = async (entries: readonly object[], more: object = {}) => {
    const startedAt = performance.now()
    const response = await fetch(`http://127.0.0.1:${service.port}/compact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entries, settings: { keepRecentTokens: 20_000 }, ...more }),
    })
    const body = (await response.json()) as { method?: string; prepared?: boolean }
    if (response.status !== 200) throw new Error(`the service answered ${response.status}: ${JSON.stringify(body)}`)
    return { ms: performance.now() - startedAt, body }
  }
  const medianOf = async (run: () => Promise<{ ms: number }>): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) times.push((await run()).ms)
    // The first round is for the compiler.
    return median(times.slice(1))
  }
  try {
    const unprepared = (await compact(all, { customInstructions: 'Nobody prepared this.' })).ms
    const ahead = await compact(prepared, { ahead: true })
    const dryRun = await medianOf(() => compact(all, { dryRun: true }))
    const taken = await medianOf(async () => {
      const result = await compact(all)
      if (result.body.method !== 'prepared') throw new Error(`it was not taken: ${result.body.method}`)
      return result
    })
    console.log(
      `\n### Ahead of time: ${ENTRIES} entries, a model that takes ${MODEL_MS / 1000} s (median of ${ROUNDS})\n`,
    )
    console.log('| | ms | of a dry run |\n| --- | --- | --- |')
    const rows = [
      ['dry run', dryRun],
      ['prepared', taken],
      ['unprepared', unprepared],
      ['the preparation itself', ahead.ms],
    ] as const
    for (const [name, ms] of rows) console.log(`| ${name} | ${ms.toFixed(0)} | ${(ms / dryRun).toFixed(2)} |`)
  } finally {
    await service.stop()
    upstream.close()
  }
}
