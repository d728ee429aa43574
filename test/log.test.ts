import { expect, it } from 'vitest'
import { createLogger } from '../src/log.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void, level = 'info'): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  write(createLogger(level, { write: (line) => void lines.push(JSON.parse(line)) }))
  return lines
}

it('createLogger names the level, the time in UTC and the process', () => {
  expect(logged((log) => log.warn({ cut: 2 }, 'words'))).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pid: process.pid,
      cut: 2,
      msg: 'words',
    },
  ])
})

it('createLogger is silent below its level', () => {
  const lines = logged((log) => {
    log.debug('a')
    log.info('b')
    log.error('c')
  }, 'warn')
  expect(lines.map(({ msg }) => msg)).toEqual(['c'])
})

it('createLogger hides what should never have come to it', () => {
  const secret = 'sk-violet'
  const lines = logged((log) => {
    log.info({ authorization: secret, cookie: secret, apiKey: secret, apiKeys: [secret] }, 'x')
    log.info({ headers: { authorization: secret, 'x-api-key': secret } }, 'x')
    log.child({ reqId: 'r' }).info({ authorization: secret }, 'x')
  })
  expect(lines).toHaveLength(3)
  expect(JSON.stringify(lines)).not.toContain(secret)
})
