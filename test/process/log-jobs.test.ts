import { expect, it } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import { createFiguresLedger } from '../../src/http/request-figures.ts'
import { silentObserver } from '../../src/models/observer.ts'
import { logJobs } from '../../src/process/log-jobs.ts'
import { appOfTest } from '../support/build-test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const WORK = {
  id: 'j-1',
  emit: () => {},
  call: {
    endpoint: 'summarize' as const,
    mediaType: 'json' as const,
    bytes: Buffer.from('violet-otter'),
    query: {},
    context: {
      requestId: 'r-1',
      callerName: 'one',
      deadlineAt: 0,
      noCache: false,
      wantsEvents: true,
      readWarnings: [],
    },
  },
}

function stage() {
  const lines: (readonly [level: string, line: object])[] = []
  const at = (level: string) => (line: object) => void lines.push([level, line])
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const figures = createFiguresLedger()
  return { lines, figures, log: log as never, models: figures.observing(silentObserver) }
}

it('logJobs tells what a job took, and no word of it', async () => {
  const { lines, figures, log, models } = stage()
  const usage = { inputTokens: 40, outputTokens: 2, costUsd: 0.5 }
  const run = logJobs(
    async () => {
      models.attempt({ row: { model: 'a/b', outcome: 'ok', durationMs: 1 }, usage, asker: { requestId: 'r-1' } })
      return { json: '{}', model: 'a/b' }
    },
    { figures, log },
  )
  await run(WORK, new AbortController().signal)
  const told = { reqId: 'r-1', jobId: 'j-1', endpoint: 'summarize', status: 200, model: 'a/b', caller: 'one' }
  expect(lines).toEqual([['info', expect.objectContaining({ ...told, attempts: 1, ...usage, bodyBytes: 12 })]])
  expect(JSON.stringify(lines)).not.toContain('violet-otter')
  expect(figures.close('r-1').attempts).toBe(0)
})

it.each([
  ['models-failed', 502, 'error'],
  ['overloaded', 503, 'warn'],
  ['client-closed', 499, 'info'],
] as const)('logJobs tells that a job ended in %s as status %i: %s', async (code, status, level) => {
  const { lines, figures, log } = stage()
  const fault = new RecapdError(code, 'It failed.')
  await expect(logJobs(() => Promise.reject(fault), { figures, log })(WORK, new AbortController().signal)).rejects.toBe(
    fault,
  )
  expect(lines).toEqual([[level, expect.objectContaining({ status, code, jobId: 'j-1' })]])
})

it('logJobs stands around every job of the service', async () => {
  const { app, lines } = await appOfTest()
  const headers = { prefer: 'respond-async' }
  const accepted = await app.inject({
    method: 'POST',
    url: '/summarize',
    headers,
    payload: { systemPrompt: 'S.', prompt: 'P.' },
  })
  await waitUntil(() => lines.some(({ msg }) => msg === 'job'), 'the job is told of')
  expect(lines.find(({ msg }) => msg === 'job')).toMatchObject({
    jobId: accepted.json().job.id,
    reqId: accepted.headers['x-request-id'],
    status: 200,
    model: 'alpha/small',
    attempts: 1,
    cache: 'miss',
  })
})
