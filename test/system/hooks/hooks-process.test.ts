import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { fork } from '../../support/navigate.ts'
import { until } from '../../support/redis-server.ts'
import { serviceOfTest } from '../../support/service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(path.join(tmpdir(), 'recapd-hooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const LOCAL = { candidates: ['recapd/extractive'] }

/** Every way to fail once nobody waits any more. Five a run, one when the file is loaded. */
const RECKLESS = `
  import { readFile } from 'node:fs'
  void Promise.reject(new Error('SECRET at load'))
  export function session_tree() {
    void Promise.reject('SECRET text')
    void (async () => { throw new Error('SECRET rejection') })()
    setTimeout(() => { throw new TypeError('SECRET timer') }, 1)
    process.nextTick(() => { throw new Error('SECRET tick') })
    readFile('/nowhere/at/all', (error) => { throw error })
  }
  export function session_before_tree() { throw new Error('SECRET throw') }`

describe('a service with hooks', () => {
  it('outlives whatever they leave running, in the event loop and in a worker', async () => {
    const service = await serviceOfTest({ ...LOCAL, hooks: write('reckless.ts', RECKLESS) })
    const { builder, d, f } = fork()
    const small = { entries: builder.rows, oldLeafId: d, targetId: f }
    const big = { ...small, padding: 'x'.repeat(1_100_000) }
    const failures = () => service.metric('recapd_hook_failures_total')
    for (const [body, total] of [
      [small, 7],
      [big, 14],
    ] as const) {
      const response = await fetch(`${service.url}/branch-summary`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { summarized, warnings } = (await response.json()) as { summarized: boolean; warnings: string[] }
      expect([response.status, summarized]).toEqual([200, true])
      expect(warnings).toEqual(['The hook session_before_tree threw; it was ignored.'])
      await until(async () => (await failures()) >= total, `${total} failures are counted`)
      expect(await failures()).toBe(total)
    }
    expect(await service.metric('recapd_hook_duration_seconds_count')).toBe(4)
    await until(() => service.logs().split('a hook was ignored').length - 1 === 14, 'every failure is logged')
    expect(service.logs()).toMatch(
      /"hook":"session_tree","fault":"left something running that failed later \(TypeError/,
    )
    expect(service.logs()).toContain('threw (Error at line 11)')
    expect(service.logs()).not.toContain('SECRET')
  })

  it('still ends for a failure that is its own', () => {
    const context = pathToFileURL(path.join(ROOT, 'src/hooks/hook-context.ts')).href
    const script = `
      import { runAsHook } from '${context}'
      const report = (name) => console.log('contained', name)
      runAsHook({ name: 'mine', url: 'file:///none.ts', report }, () => { void Promise.reject(1) })
      setTimeout(() => { void Promise.reject(new Error('our own')) }, 10)
      setTimeout(() => console.log('went on'), 1000)`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(run.stdout).toBe('contained mine\n')
    expect(run.stderr).toContain('our own')
    expect(run.status).not.toBe(0)
  })
})

describe('the start', () => {
  function start(config: object, ...args: string[]) {
    const file = write('recapd.json', JSON.stringify({ server: { port: 0 }, ...LOCAL, ...config }))
    const env = { PATH: process.env['PATH'], RECAPD_CONFIG: file }
    return spawnSync(process.execPath, ['src/main.ts', ...args], { cwd: ROOT, env, encoding: 'utf8', timeout: 15_000 })
  }

  it.each([
    ['throws', 'setInterval(() => {}, 1000); throw new Error("no database")', 'it cannot be loaded: no database'],
    ['exports none', 'setInterval(() => {}, 1000); export const a = 1', 'it exports no hook'],
  ])('is refused with 78 by a hook file that %s', (name, source, fault) => {
    const hooks = write(`${name}.mjs`, source)
    for (const args of [[], ['check-config']]) {
      const { status, stdout, stderr } = start({ hooks }, ...args)
      expect([status, stdout]).toEqual([78, ''])
      expect(stderr).toContain('nothing was started')
      expect(stderr).toContain(`hooks ${hooks}: ${fault}`)
    }
  })

  it('is refused with 78 by prompts with a fault', () => {
    const prompts = path.dirname(write('prompts/branch-sumary.md', 'misspelt'))
    const { status, stderr } = start({ prompts })
    expect(status).toBe(78)
    expect(stderr).toContain('branch-sumary.md: no prompt has this name')
  })

  it('check-config ends although a hook file keeps a timer', () => {
    const hooks = write('timer.mjs', 'setInterval(() => {}, 1000); export const hooks = { session_tree() {} }')
    const { status, stdout } = start({ hooks }, 'check-config')
    expect(status).toBe(0)
    expect(stdout).toContain(`hooks        ${hooks}`)
  })
})
