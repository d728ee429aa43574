// Every trick of ours beside the plain way, in one process: what goes from hand to hand is the same, only the time is not.
import { median } from '../median.ts'
import { bodyTricks } from './body-tricks.ts'
import { callTricks } from './call-tricks.ts'
import { textTricks } from './text-tricks.ts'
import type { Trick } from './trick.ts'
import { withWireTricks } from './wire-tricks.ts'

const ROUNDS = 9
/** CPU a round takes at least, so that the clock's grain does not count. */
const ROUND_MS = 20

/** Prints one row a trick: microseconds of CPU as it is done, and as it would be done without it. Takes half a minute. */
export async function microBench(): Promise<void> {
  console.log(
    `\n### Tricks beside the plain way (CPU µs, median of ${ROUNDS} after as many to warm up, Node ${process.version})\n`,
  )
  console.log('| what | as it is | the plain way | | where |')
  console.log('| --- | --- | --- | --- | --- |')
  await rows([...bodyTricks(), ...textTricks(), ...callTricks()])
  await withWireTricks(rows)
}

async function rows(tricks: readonly Trick[]): Promise<void> {
  for (const { what, where, ours, plain } of tricks) {
    // One after the other: what one of them leaves for the collector is not the other's.
    const mine = await medianUs(ours)
    const theirs = await medianUs(plain)
    console.log(`| ${what} | ${shown(mine)} | ${shown(theirs)} | ${(theirs / mine).toFixed(1)}x | ${where} |`)
  }
}

/** Microseconds of CPU that one run takes, by rounds of runs. */
async function medianUs(run: Trick['ours']): Promise<number> {
  const runFor = async (times: number) => {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time += 1) await run()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  let times = 1
  const rounds = async () => {
    while ((await runFor(times)) < ROUND_MS * 1_000) times *= 2
    const found: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) found.push((await runFor(times)) / times)
    return found
  }
  // To warm up: its first run may have waited for the collector or a connection, and tells little of how many are a round.
  await rounds()
  return median(await rounds())
}

const shown = (us: number): string => us.toFixed(us < 10 ? 2 : us < 100 ? 1 : 0)

if (import.meta.main) await microBench()
