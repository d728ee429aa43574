import { afterAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../support/expect-problem.ts'
import { json, request } from '../support/raw-http.ts'
import { serviceOfTest } from '../support/service-process.ts'
import { SessionBuilder } from '../support/session-builder.ts'
import { memoryGroup } from './memory-group.ts'

/** What deploy/ gives a container. */
const LIMIT_MIB = 1_024
const BODY_BYTES = 8 * 1_048_576

const group = memoryGroup(LIMIT_MIB)
if (group === undefined)
  console.warn('NOT RUN: memory under a limit. No control group of version 1 or 2 can be made here.')
afterAll(() => group?.remove())

/** A session of 8 MiB. The number makes each another one, so that none is joined with the next. */
function bodyOf(number: number): string {
  const session = new SessionBuilder()
  session.user(`Work on number ${number}.`)
  const line = Array.from({ length: 350 }, (_, at) => `line${(at * 104_729) % 99_991} src/file${at % 50}.ts:${at}`)
  for (let bytes = 0; bytes < BODY_BYTES; bytes += line.join(' ').length + 200) {
    session.assistant(`step ${bytes} ${line.join(' ')}`)
    session.user('go on')
  }
  return JSON.stringify({ entries: session.rows, contextWindow: 200_000 })
}

describe.skipIf(group === undefined)(`under ${LIMIT_MIB} MiB (NOT RUN where no control group can be made)`, () => {
  it.each([15, 60])(
    '%i sessions of 8 MiB at once: nobody is killed, each is answered or told when to come again',
    {
      timeout: 300_000,
    },
    async (count) => {
      const service = await serviceOfTest({ candidates: ['recapd/extractive'] }, { command: group?.command })
      const send = (number: number) =>
        request(`${service.url}/compact`, { headers: { 'content-type': 'application/json' }, body: bodyOf(number) })
      const answers = await Promise.all(Array.from({ length: count }, (_, number) => send(number)))
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expectProblem(answer, 503, 'overloaded')
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(group?.killed()).toBe(0)
      expect(await request(`${service.url}/summarize`, json({ systemPrompt: 'S.', prompt: 'Well?' }))).toMatchObject({
        status: 200,
      })
    },
  )
})
