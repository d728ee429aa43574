import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MODULES = path.join(ROOT, 'test/support/generated-client/node_modules')
const isInstalled = existsSync(path.join(MODULES, 'openapi-fetch'))
if (!isInstalled)
  console.warn('NOT RUN: no client of openapi.yaml is made; `node scripts/set-up.mjs --test` installs what makes it')

const USE = `import createClient from 'openapi-fetch'
import type { paths } from './recapd.js'

const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl: 'http://127.0.0.1:8484' })

export async function summarize(): Promise<string> {
  const { data, error } = await client.POST('/summarize', { body: { systemPrompt: 's', prompt: 'x' } })
  if (error !== undefined) {
    const wait: number | undefined = error.retryable === true ? error.retryAfterMs : undefined
    throw new Error(\`\${error.code} \${error.detail} \${wait}\`)
  }
  if ('summary' in data) {
    const summary: string = data.summary
    return summary
  }
  const status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' = data.job.status
  return status
}

export async function compact(): Promise<boolean | string> {
  const { data, error } = await client.POST('/compact', {
    body: { messages: [{ role: 'user', content: 'Hello.' }], contextWindow: 8_000 },
    params: { header: { prefer: 'respond-async, wait=20', 'idempotency-key': 'k-1' } },
  })
  if (error !== undefined) throw new Error(error.detail)
  if ('job' in data) return data.job.id
  return 'compacted' in data ? data.compacted : data.prepared
}

export async function branch(): Promise<string | undefined> {
  const { data, error } = await client.POST('/branch-summary', { body: { entries: [], oldLeafId: 'a', targetId: 'b' } })
  if (error !== undefined) throw new Error(error.detail)
  return 'job' in data ? data.job.id : undefined
}

export async function found(id: string): Promise<number> {
  const { data, error } = await client.GET('/jobs/{id}', { params: { path: { id } } })
  if (error !== undefined) throw new Error(error.detail)
  const usage = await client.GET('/usage')
  return data.job.createdAt.length + (usage.data?.keys.length ?? 0)
}
`
const COMPILER = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], skipLibCheck: true }

it.skipIf(!isInstalled)(
  'openapi.yaml makes a TypeScript client that compiles under strict',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'recapd-client-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    symlinkSync(MODULES, path.join(folder, 'node_modules'))
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
    write('package.json', { type: 'module' })
    write('tsconfig.json', {
      compilerOptions: { ...COMPILER, lib: ['es2022', 'dom', 'dom.iterable'] },
      include: ['use.ts'],
    })
    write('use.ts', USE)
    const run = (program: string, ...args: readonly string[]) => {
      const file = path.join(MODULES, '.bin', program)
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8' })
      return { status, said: status === 0 ? '' : `${stdout}${stderr}`.slice(0, 3_000) }
    }
    expect(run('openapi-typescript', path.join(ROOT, 'openapi.yaml'), '-o', 'recapd.ts')).toEqual({
      status: 0,
      said: '',
    })
    expect(run('tsc', '-p', '.')).toEqual({ status: 0, said: '' })
    // And that it can fail: a misspelt field.
    write('use.ts', USE.replaceAll('data.summary', 'data.sumary'))
    expect(run('tsc', '-p', '.').said).toContain('sumary')
  },
)
