import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogger, standardOutput } from '../../src/process/log.ts'

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

/** pino's destination as far as it matters here: it keeps lines until it is flushed, and a flush during a write is none. */
class SlowDestination extends EventEmitter {
  readonly written: string[] = []
  flushes = 0
  #kept = ''
  #writing = ''

  write(line: string): boolean {
    this.#kept += line
    return true
  }

  flush(): void {
    this.flushes += 1
    if (this.#writing !== '') return
    this.#writing = this.#kept
    this.#kept = ''
  }

  flushSync(): void {
    this.written.push(this.#kept)
    this.#kept = ''
  }

  finishWrite(): void {
    this.written.push(this.#writing)
    const bytes = Buffer.byteLength(this.#writing)
    this.#writing = ''
    this.emit('write', bytes)
    this.emit('drain')
  }
}

function slowLogger() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = new SlowDestination()
  const output = standardOutput({ stream })
  return {
    log: createLogger('info', output),
    output,
    stream,
    said: () => stream.written.join('').match(/"msg":"\w+"/g) ?? [],
  }
}

it('standardOutput writes plain lines together, soon', () => {
  const { log, stream, said } = slowLogger()
  log.info('one')
  log.info('zwei')
  vi.advanceTimersByTime(49)
  expect(stream.flushes).toBe(0)
  vi.advanceTimersByTime(1)
  stream.finishWrite()
  expect(said()).toEqual(['"msg":"one"', '"msg":"zwei"'])
})

it('standardOutput writes warnings at once', () => {
  const { log, stream, said } = slowLogger()
  log.info('one')
  log.warn('look')
  vi.advanceTimersByTime(0)
  stream.finishWrite()
  expect(said()).toEqual(['"msg":"one"', '"msg":"look"'])
})

it('standardOutput leaves no line behind that came during a write, and then sleeps', () => {
  const { log, stream, said } = slowLogger()
  log.info('first')
  vi.advanceTimersByTime(50)
  log.info('größer')
  // Its turn comes while the first one is still being written.
  vi.advanceTimersByTime(50)
  stream.finishWrite()
  expect(said()).toEqual(['"msg":"first"'])
  vi.advanceTimersByTime(50)
  stream.finishWrite()
  expect(stream.written.join('')).toContain('größer')
  expect(vi.getTimerCount()).toBe(0)
})

it('standardOutput has nothing left to write after a synchronous flush', () => {
  const { output, stream } = slowLogger()
  output.write('{"msg":"one"}\n')
  output.flushSync()
  vi.runAllTimers()
  stream.finishWrite()
  expect(stream.written.join('')).toBe('{"msg":"one"}\n')
  expect(vi.getTimerCount()).toBe(0)
})
