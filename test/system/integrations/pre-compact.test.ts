import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serviceOfTest } from '../../support/service-process.ts'

const HOOK = path.resolve(import.meta.dirname, '../../../integrations/claude-code/pre-compact.mjs')

const row = (at: number, type: 'user' | 'assistant', content: unknown) => ({
  type,
  uuid: `u${at}`,
  parentUuid: at === 0 ? null : `u${at - 1}`,
  isSidechain: false,
  sessionId: 's',
  cwd: '/repo',
  version: '2.1.332',
  timestamp: new Date(1_760_000_000_000 + at * 1000).toISOString(),
  message: type === 'user' ? { role: 'user', content } : { id: `m${at}`, type: 'message', role: 'assistant', content },
})
const TRANSCRIPT = [
  row(0, 'user', 'Rename the queue to jobs. Never touch billing.'),
  row(1, 'assistant', [
    { type: 'text', text: `The queue is renamed in src/jobs.ts. ${'A word on each of its callers. '.repeat(400)}` },
  ]),
  row(2, 'user', 'Now mend the flaky test of the scheduler.'),
  row(3, 'assistant', [{ type: 'text', text: 'I look at it.' }]),
]

/** The hook as Claude Code runs it. */
function hook(url: string, input: string) {
  return spawnSync(process.execPath, [HOOK], { input, encoding: 'utf8', env: { RECAPD_URL: url } })
}
function transcript(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-hook-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'transcript.jsonl')
  writeFileSync(file, TRANSCRIPT.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

it('pre-compact prints what must be kept of the transcript', async () => {
  const { url } = await serviceOfTest({})
  const input = JSON.stringify({ transcript_path: transcript(), trigger: 'manual', custom_instructions: '' })
  const { status, stdout, stderr } = hook(url, input)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^Your summary must keep/)
  for (const fact of ['Never touch billing', 'flaky test of the scheduler']) expect(stdout).toContain(fact)
})

it.each([
  ['nobody listens', () => JSON.stringify({ transcript_path: transcript() })],
  ['the transcript is gone', () => JSON.stringify({ transcript_path: '/nowhere/absent.jsonl' })],
  ['its input is not JSON', () => 'nonsense'],
])('pre-compact prints nothing and ends with 0 when %s', (_title, input) => {
  expect(hook('http://127.0.0.1:9', input())).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
