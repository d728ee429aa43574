// Calls: their clocks, their signals, the calls in flight, the line they leave in the log.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { periodOf } from '../../src/models/callers/period.ts'
import { systemClock } from '../../src/models/clock.ts'
import { textPrompt } from '../../src/models/prompt.ts'
import { linkedController } from '../../src/models/signals/linked-signal.ts'
import { createFlights } from '../../src/models/wrappers/sharing/flights.ts'
import { createLogger } from '../../src/process/log.ts'
import { agentText } from '../agent-text.ts'
import type { Trick } from './trick.ts'

const PROMPT_BYTES = 204_800
const LONG_MS = 60_000

export function callTricks(): readonly Trick[] {
  const request = { system: 'Be brief.', prompt: textPrompt(agentText(PROMPT_BYTES)), deadlineAt: 0 }
  const flights = createFlights()
  const nowhere = { write() {} }
  const ours = createLogger('info', nowhere)
  const plain = pino({ timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid } }, nowhere)
  const line = { method: 'POST', route: '/summarize', status: 200, durationMs: 12.3 }
  return [
    {
      what: 'a signal that follows another, and is let go',
      where: 'src/models/signals/linked-signal.ts',
      ours: () => linkedController(new AbortController().signal).unlink(),
      plain: () => AbortSignal.any([new AbortController().signal, new AbortController().signal]),
    },
    {
      what: 'a clock set and called off',
      where: 'src/models/clock.ts',
      ours: () => systemClock.after(LONG_MS, () => {})(),
      plain: () => {
        const off = new AbortController()
        const slept = sleep(LONG_MS, undefined, { signal: off.signal }).catch(() => {})
        off.abort()
        return slept
      },
    },
    {
      what: 'a call of 200 KB looked for among those in flight: by its length, then compared',
      where: 'src/models/wrappers/sharing/flights.ts',
      ours: () => flights.find(request),
      plain: () => createHash('sha256').update(request.system).update(request.prompt.text).digest('hex'),
    },
    {
      what: 'the day that a count belongs to, remembered',
      where: 'src/models/callers/period.ts',
      ours: () => periodOf('day', Date.now()).name,
      plain: () => new Date().toISOString().slice(0, 10),
    },
    {
      what: 'a line of the log, its date written once a millisecond',
      where: 'src/process/log.ts',
      ours: () => ours.info(line, 'request'),
      plain: () => plain.info(line, 'request'),
    },
  ]
}
