import { flushCompileCache } from 'node:module'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/load-config.ts'
import { errnoOf } from '../domain/errno-of.ts'
import { summarizeExtractively } from '../domain/extractive/summarize-extractively.ts'
import { secretMasker } from '../domain/text/mask-secrets.ts'
import { EXTRACTIVE_ID } from '../models/candidate-ids.ts'
import { buildService, packageVersion } from './build-service.ts'
import { drainOnSignal } from './drain.ts'
import { giveBackMemory } from './give-back.ts'
import { createLogger, standardOutput } from './log.ts'
import { rehearse } from './rehearse.ts'
import { reloadOnChange } from './reload.ts'
import { isTraced, startTracing } from './start-tracing.ts'
import { whileIdle } from './while-idle.ts'

/** Listens with one configuration, and drains on a signal. */
export async function serve(config: Config, load: () => Promise<Config>): Promise<void> {
  const log = createLogger(config.log.level, standardOutput({ mask: secretMasker(config.secrets) }))
  const version = packageVersion()
  await rehearsed(config, log, BEFORE_READY)
  const stopTracing = await startTracing(process.env, version)
  const service = await buildService(config, log)
  const close = async () => {
    await service.close()
    await stopTracing()
  }
  const { host, port, adminPort } = config.server
  try {
    await listen(service.app, host, port)
    if (service.admin !== undefined && adminPort !== null) await listen(service.admin, host, adminPort)
  } catch (error) {
    const code = errnoOf(error) ?? 'unknown'
    const where = `${host}:${port}${adminPort === null ? '' : ` and ${adminPort}`}`
    log.fatal({ code }, `cannot listen on ${where}: ${code}${LISTEN_MENDS[code] ?? ''}`)
    process.exitCode = 1
    await close()
    return
  }
  const { lifecycle, jobs } = service
  const { candidates, notes, warnings } = config
  log.info(
    { version, candidates, notes },
    `recapd is ready at ${addressOf(service.app)}; candidates: ${candidates.join(', ')}`,
  )
  for (const warning of warnings) log.warn(warning)
  const warmUps = candidates.includes(EXTRACTIVE_ID) ? [warmUp] : []
  whileIdle(lifecycle, [...warmUps, () => settle(config, log)])
  reloadOnChange({ config, log, load, apply: service.reload })
  drainOnSignal({ lifecycle, jobs, timing: config.server, log, close })
}

const LISTEN_MENDS: Readonly<Record<string, string>> = {
  EADDRINUSE: '; another program listens there. PORT=8485, or server.port, picks another port',
  EACCES: '; ports under 1024 need a privilege. PORT=8484, or server.port, picks another port',
  EADDRNOTAVAIL: '; no network interface of this machine has that address. HOST, or server.host, names another',
  ENOTFOUND: '; that host name is unknown here. HOST, or server.host, names another',
}

/** Fastify's own line would say less, twice. */
const listen = (app: FastifyInstance, host: string, port: number) =>
  app.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` })

/** What runs a second time takes other ways than the first; of more than two nothing was left to be seen. */
const BEFORE_READY = 2

/** What cannot be rehearsed is slower the first time, and no reason not to start. */
const rehearsed = (config: Config, log: Logger, requests: number): Promise<void> =>
  rehearse(config, requests).catch((cause: unknown) => log.debug({ code: errnoOf(cause) }, 'no rehearsal'))

/** Giving memory back takes along what the rehearsal had compiled, so there is another, but where its spans would be told as a caller's. */
function settle(config: Config, log: Logger): void {
  flushCompileCache()
  giveBackMemory()
  if (!isTraced(process.env)) void rehearsed(config, log, 1)
}

/**
 * The first extractive summary compiles some hundred patterns (0.2 s); better now than while a caller waits. They take 4 MiB, which a service
 * that asks the embedded model only when all others fail can do without.
 */
function warmUp(): void {
  const conversation = '[User]: Warm up.\n\n[Assistant tool calls]: bash(command="true")\n\n[Tool error]: exit code 1'
  summarizeExtractively({
    prompt: `<conversation>\n${conversation}\n</conversation>\n\n## Goal\n### Done\n### Blocked\n## Key Decisions\n## Next Steps`,
    maxTokens: undefined,
  })
}

function addressOf(app: FastifyInstance): string {
  const bound = app.server.address()
  if (bound === null || typeof bound === 'string') return String(bound)
  const { address, port } = bound
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`
}
