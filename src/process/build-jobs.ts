import type { Logger } from 'pino'
import type { Config } from '../config/load-config.ts'
import { asRecapdError } from '../domain/errors.ts'
import type { Metrics } from '../http/metrics.ts'
import { PROBLEMS } from '../http/plugins/problems.ts'
import type { FiguresLedger } from '../http/request-figures.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { jobSecrets, jobsOptions } from '../jobs/options.ts'
import { startJobs } from '../jobs/start-jobs.ts'
import { systemClock } from '../models/clock.ts'
import type { RedisLink } from '../models/stores/redis-link.ts'
import { createSealer, type Sealer } from '../models/stores/sealer.ts'
import type { PipelineDeps } from '../pipelines/pipeline-context.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import type { Offload } from '../workers/offload.ts'
import { logJobs } from './log-jobs.ts'

export interface JobParts {
  readonly link: RedisLink | undefined
  readonly offload: Offload
  readonly pipelines: PipelineDeps
  readonly metrics: Metrics
  readonly figures: FiguresLedger
  readonly log: Logger
}

/** Jobs over all replicas where both Redis and a `jobs` section are configured, else in this process. */
export async function buildJobs(
  config: Config,
  { link, offload, pipelines, metrics, figures, log }: JobParts,
): Promise<Jobs> {
  const sealer = sealerOf(config)
  const { timeoutMs } = config.redis
  const jobs = await startJobs({
    options: config.jobs ?? jobsOptions.parse({}),
    shared: link === undefined || sealer === undefined ? undefined : { link, sealer, timeoutMs },
    clock: systemClock,
    run: logJobs(({ call, emit }, signal) => offload.run({ call, deps: pipelines, emit }, signal), { figures, log }),
    foreseen(thrown, reqId) {
      const error = asRecapdError(thrown)
      if (error.code === 'internal')
        log.error({ reqId, err: { stack: stackFrames(error.extras.cause) } }, 'internal fault')
      return error
    },
    isRetryable: ({ code }) => PROBLEMS[code].retryable,
    onFinished: metrics.jobFinished,
    onWebhookGivenUp: (message, cause) =>
      log.warn({ message, cause }, 'the webhook did not take a message; it is given up'),
  })
  metrics.watchJobs(jobs.counts)
  return jobs
}

/** Encrypts what is kept in Redis, where there is a `jobs.secret`. */
export function sealerOf({ jobs }: Pick<Config, 'jobs'>): Sealer | undefined {
  const secrets = jobs === undefined ? undefined : jobSecrets(jobs)
  return secrets === undefined ? undefined : createSealer(secrets)
}
