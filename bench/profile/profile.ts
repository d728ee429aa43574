// Where the CPU of a request goes: the loads of the gateway bench, each thread of the service sampled meanwhile.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CASES, configFor, loadOnce, startUpstream } from '../gateway-load.ts'
import { installPeers } from '../peers.ts'
import { startRecapd } from '../start-recapd.ts'
import { timeByRoom } from './rooms.ts'

const WARM_UP_SECONDS = 25
const SECONDS = 10
const WRITING_MS = 4_000
/** What takes less is told together. */
const LEAST_SHARE = 0.02
const PRELOAD = fileURLToPath(new URL('preload.mjs', import.meta.url))

/** Prints one table a case: shares of the CPU time, all threads together. */
export async function profileBench(): Promise<void> {
  const peers = installPeers()
  const upstream = await startUpstream()
  for (const each of CASES) {
    const folder = mkdtempSync(path.join(tmpdir(), 'recapd-profile-'))
    const flags = ['--import', pathToFileURL(PRELOAD).href]
    const service = await startRecapd(configFor(upstream.url), { flags, env: { PROFILE_FOLDER: folder } })
    await upstream.tell(`answer/${each.answer}`)
    const target = { port: service.port, path: '/summarize', shape: 'summarize', headers: {} } as const
    const load = (seconds: number) => loadOnce(peers, target, { prompt: each.prompt(), connections: 32, seconds })
    await load(WARM_UP_SECONDS)
    process.kill(service.pid, 'SIGUSR2')
    const { '2xx': answered } = await load(SECONDS)
    process.kill(service.pid, 'SIGUSR2')
    await sleep(WRITING_MS)
    await service.stop()
    print(each.title, folder, answered)
  }
  await upstream.stop()
}

function print(title: string, folder: string, answered: number): void {
  const total = new Map<string, number>()
  for (const name of readdirSync(folder)) {
    for (const [room, us] of timeByRoom(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))))
      total.set(room, (total.get(room) ?? 0) + us)
  }
  const all = [...total.values()].reduce((sum, us) => sum + us, 0)
  const large = [...total].filter(([, us]) => us >= LEAST_SHARE * all).sort(([, one], [, other]) => other - one)
  const rest = all - large.reduce((sum, [, us]) => sum + us, 0)
  console.log(
    `\n### ${title}: where ${(all / answered).toFixed(0)} µs a request go (profiled ones, ${SECONDS} s, Node ${process.version})\n`,
  )
  console.log('| room | µs | share |\n| --- | --- | --- |')
  for (const [room, us] of [
    ...large,
    [`${total.size - large.length} rooms of less than ${100 * LEAST_SHARE} % each`, rest] as const,
  ])
    console.log(
      `| ${room} | ${(us / answered).toFixed(us / answered < 10 ? 1 : 0)} | ${((100 * us) / all).toFixed(0)} % |`,
    )
}

if (import.meta.main) await profileBench()
