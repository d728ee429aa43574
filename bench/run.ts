// npm run bench: what this service costs, measured beside others. Sections by name: npm run bench -- start gateway proxy fold …
import { aheadBench } from './ahead.ts'
import { evalBench } from './eval-models.ts'
import { fairnessBench } from './fairness.ts'
import { foldBench } from './fold.ts'
import { gatewayBench } from './gateway.ts'
import { longCompactBench } from './long-compact.ts'
import { microBench } from './micro/micro.ts'
import { overloadBench } from './overload.ts'
import { pipelineBench } from './pipeline.ts'
import { profileBench } from './profile/profile.ts'
import { proxyBench } from './proxy.ts'
import { startBench } from './start.ts'

const rounds = {
  seconds: Number(process.env['BENCH_SECONDS'] ?? 4),
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
}

const SECTIONS: Readonly<Record<string, () => Promise<void>>> = {
  start: startBench,
  gateway: () =>
    gatewayBench({
      ...rounds,
      loads: Number(process.env['BENCH_LOADS'] ?? 3),
      only: process.env['BENCH_CASE'],
    }),
  proxy: () => proxyBench(rounds),
  fold: foldBench,
  pipeline: pipelineBench,
  long: longCompactBench,
  micro: microBench,
  overload: overloadBench,
  fairness: fairnessBench,
  ahead: aheadBench,
  profile: profileBench,
  eval: evalBench,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => SECTIONS[name] === undefined)
if (unknown.length > 0) {
  console.error(`unknown section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`)
  process.exitCode = 64
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(SECTIONS)) await SECTIONS[name]?.()
}
