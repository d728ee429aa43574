import { expect, it } from 'vitest'
import { progressLines } from '../../../src/process/commands/progress-lines.ts'

const attempt = { model: 'alpha/small', outcome: 'ok', durationMs: 812 } as const

it('progressLines tells a terminal what happens, and anything else nothing', () => {
  const written: string[] = []
  const write = (line: string | Uint8Array) => written.push(String(line)) > 0
  progressLines({ isTTY: true, write })?.({ name: 'attempt', data: { ...attempt, kind: 'history' } })
  progressLines({ isTTY: true, write })?.({ name: 'delta', data: { text: 'secret words' } })
  expect(written).toEqual(['history: alpha/small ok, 812 ms\n'])
  expect(progressLines({ isTTY: false, write })).toBeUndefined()
})
