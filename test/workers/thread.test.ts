import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startThread } from '../../src/workers/thread.ts'

it("startThread has the thread read its modules from the process's compile cache", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  enableCompileCache(folder)
  const cache = getCompileCacheDir() ?? ''
  const defaults = {
    compaction: { enabled: true, autoContinue: true },
    branchReserveTokens: undefined,
    auditSummarize: true,
    aheadTtlMs: 60_000,
  }
  const thread = startThread({
    workerData: { defaults, promptsFolder: undefined, hooksFile: undefined, secrets: undefined },
    heapMiB: 64,
    onMessage() {},
    onOver() {},
  })
  const task = { id: 1, prompt: { text: '[User]: Go.' }, input: { maxTokens: undefined } }
  expect(await thread.run('extract', task, [])).toMatchObject({ result: expect.stringContaining('Go.') })
  await thread.close()
  expect(readdirSync(cache).length).toBeGreaterThan(100)
})
