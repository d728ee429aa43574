import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/process/commands/table.ts'
import { fakeProvider } from '../../support/fake-provider.ts'

/** What a model that did its work says of examples/session.jsonl. */
const SUMMARY = [
  '## Goal\n- SUMMARY-OF-THE-MODEL: a rate limiter for the orders API.',
  '## Constraints & Preferences\n- Keep the response shape as it is, and never log customer e-mail addresses.',
  '## Progress\n### Done\n- [x] Wrote src/middleware/rate-limit.ts, edited src/server.ts and src/config.ts.\n### In Progress\n- (none)\n### Blocked\n- AssertionError: expected 429 to be 200',
  '## Key Decisions\n- A token bucket instead of a fixed window, because bursts from the mobile app are normal.',
  '## Next Steps\n1. Make the limit configurable through ORDERS_RATE_MAX; which default is suggested?',
  '## Critical Context\n- The tests run with npm test.',
].join('\n\n')

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SESSION = path.join(ROOT, 'examples/session.jsonl')
const home = mkdtempSync(path.join(tmpdir(), 'recapd-home-'))
afterAll(() => rmSync(home, { recursive: true }))

/** `recapd …` with nothing of this machine's environment; input is what stands on standard input. */
async function recapd(words: readonly string[], { env = {}, input = '' } = {}) {
  const child = spawn(process.execPath, [path.join(ROOT, 'src/main.ts'), ...words], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  child.stdin.end(input)
  const status = await new Promise((resolve) => child.on('close', resolve))
  return { status, stdout, stderr }
}
function file(name: string, text: string): string {
  const at = path.join(home, name)
  writeFileSync(at, text)
  return at
}

describe('recapd compact', () => {
  it('prints the entry to append, reads the file only, and takes standard input as well', async () => {
    const before = readFileSync(SESSION, 'utf8')
    const fromFile = await recapd(['compact', SESSION, '--keep', '150'])
    expect(fromFile).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(fromFile.stdout)).toMatchObject({ compacted: true, source: 'pi', entry: { type: 'compaction' } })
    expect(readFileSync(SESSION, 'utf8')).toBe(before)
    const piped = await recapd(['compact', '-', '--keep', '150'], { input: before })
    expect(JSON.parse(piped.stdout).plan).toEqual(JSON.parse(fromFile.stdout).plan)
  })

  it('writes to --out instead, and says so where it cannot', async () => {
    const out = path.join(home, 'out.json')
    expect(await recapd(['compact', SESSION, '--keep', '150', '--out', out])).toMatchObject({ status: 0, stdout: '' })
    expect(JSON.parse(readFileSync(out, 'utf8')).compacted).toBe(true)
    const bad = await recapd(['compact', SESSION, '--keep', '150', '--out', path.join(home, 'no/such/out.json')])
    expect(bad).toMatchObject({ status: 73, stdout: '', stderr: expect.stringContaining('out.json') })
  })

  it('never writes over the session, whatever its name', async () => {
    const session = file('own.jsonl', readFileSync(SESSION, 'utf8'))
    symlinkSync(session, path.join(home, 'link.jsonl'))
    for (const out of [session, './own.jsonl', 'link.jsonl']) {
      const refused = await recapd(['compact', session, '--out', out])
      expect(refused).toMatchObject({ status: 73, stdout: '', stderr: expect.stringContaining('overwrite') })
    }
    expect(readFileSync(session, 'utf8')).toBe(readFileSync(SESSION, 'utf8'))
  })

  it('compacts a JSON array of messages by its window, and says that --keep is not for it', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Row ${at}: ${'words of it '.repeat(60)}`,
    }))
    const list = file('list.json', JSON.stringify(rows))
    const { status, stdout, stderr } = await recapd(['compact', list, '--window', '8000', '--keep', '5'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ compacted: true, source: 'messages' })
    expect(stderr).toContain('--keep is for sessions')
  })
})

describe('recapd summarize and eval', () => {
  it('print what one configured model says, and compare it with the embedded one', async () => {
    const provider = await fakeProvider([{ text: SUMMARY }])
    const config = {
      providers: { alpha: { baseUrl: provider.url, apiKeys: ['k'], models: { small: { contextWindow: 128_000 } } } },
    }
    const env = {
      RECAPD_CONFIG: file(
        'recapd.json',
        JSON.stringify({ ...config, candidates: ['alpha/small', 'recapd/extractive'], retry: { maxAttempts: 1 } }),
      ),
    }
    const summary = await recapd(['summarize', SESSION], { env })
    expect(summary).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('SUMMARY-OF-THE-MODEL') })
    const table = await recapd(['eval', SESSION, '--models', 'recapd/extractive,alpha/small'], { env })
    expect(table.status).toBe(0)
    expect(table.stdout).toMatch(
      /^model +truth +recall +stale +tokens +cost +latency +answered\nrecapd\/extractive .*1\/1\nalpha\/small .*1\/1\n$/,
    )
    const unknown = await recapd(['eval', SESSION, '--models', 'alpha/large'], { env })
    expect(unknown).toMatchObject({ status: 65, stdout: '', stderr: expect.stringContaining('alpha/large') })
    await provider.close()
  })

  it('end with 69, a cause and no half result when no model answers', async () => {
    const dead = {
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKeys: ['sk-secret'],
      models: { small: { contextWindow: 128_000 } },
    }
    const env = { RECAPD_CONFIG: file('dead.json', JSON.stringify({ providers: { dead }, retry: { maxAttempts: 1 } })) }
    const { status, stdout, stderr } = await recapd(['summarize', SESSION], { env })
    expect({ status, stdout }).toEqual({ status: 69, stdout: '' })
    expect(stderr).toMatch(/models-failed[\s\S]*dead\/small: network/)
    expect(stderr).not.toContain('sk-secret')
  })
})

describe('recapd on a wrong file or call', () => {
  it.each([
    ['a file that is not there', ['compact', 'absent.jsonl'], 66, 'absent.jsonl'],
    ['a folder', ['check', ROOT], 66, 'folder'],
    ['a file without a session', ['check', path.join(ROOT, 'LICENSE')], 65, 'no-entries'],
  ])('names %s', async (_title, words, status, told) => {
    const run = await recapd(words)
    expect(run).toMatchObject({ status, stdout: '' })
    expect(run.stderr).toContain(told)
    expect(run.stderr).not.toMatch(/usage:|\n\s+at /)
  })

  it.each([
    [['frobnicate']],
    [['compact']],
    [['compact', 'a', 'b']],
    [['check', 'a', '--nonsense']],
    [['eval', 'a']],
    [['connect', 'emacs']],
  ])('shows every command for %j', async (words) => {
    const { status, stdout, stderr } = await recapd(words)
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' })
    for (const { usage } of Object.values(COMMANDS)) expect(stderr).toContain(`recapd ${usage}`)
  })

  it.each([[['--help']], [['compact', '--help']], [['connect', '-h']]])('shows them when asked: %j', async (words) => {
    const { status, stdout } = await recapd(words)
    expect(status).toBe(0)
    for (const { usage } of Object.values(COMMANDS)) expect(stdout).toContain(`recapd ${usage}`)
  })
})

describe('recapd connect', () => {
  it('writes the setting into what is there, shows the difference, and gives the file back', async () => {
    const settings = path.join(home, '.codex/config.toml')
    const connected = await recapd(['connect', 'codex', '--url', 'http://box:8484/k/secret/'])
    expect(connected).toMatchObject({ status: 0, stderr: '' })
    expect(connected.stdout).toContain('+base_url = "http://box:8484/k/secret/proxy/openai/v1"')
    expect(readFileSync(settings, 'utf8')).toContain('base_url = "http://box:8484/k/secret/proxy/openai/v1"')
    expect((await recapd(['connect', 'codex', '--undo'])).stdout).toContain('removed')
    expect(await recapd(['connect', 'codex', '--undo'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing to undo'),
    })
    expect(await recapd(['connect', 'codex', '--url', 'box'])).toMatchObject({ status: 64 })
  })
})
