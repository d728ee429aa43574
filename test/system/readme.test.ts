import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const fences = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map((match) => ({
  language: match[1] ?? '',
  text: match[2] ?? '',
}))

/** Each curl line of the README with the answer it shows. */
const shown = fences.flatMap(({ text }, index) => {
  const next = fences[index + 1]
  return text.includes('curl ') && next?.language === 'json'
    ? [{ command: text, answer: JSON.parse(next.text) as unknown }]
    : []
})

describe('the commands of the README', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({})
  })
  afterAll(() => service.stop())

  it.each(shown.map((row) => [row.command.split('\n')[0] ?? '', row] as const))(
    '%s answers as shown',
    (_title, { command, answer }) => {
      const here = command.replaceAll('localhost:8484', service.url.replace('http://', ''))
      const { stdout, stderr } = spawnSync('bash', ['-c', here], { cwd: root, encoding: 'utf8' })
      expect(stderr).toBe('')
      expectShown(JSON.parse(stdout), answer, '')
    },
  )

  it('shows at least three of them', () => {
    expect(shown.length).toBeGreaterThanOrEqual(3)
  })
})

/** The answer may hold more; what the README shows must be there. A text that ends in … shows its beginning. */
function expectShown(actual: unknown, wanted: unknown, at: string): void {
  if (typeof wanted === 'string' && wanted.endsWith('…')) {
    expect(String(actual).startsWith(wanted.slice(0, -1)), at).toBe(true)
  } else if (Array.isArray(wanted)) {
    expect(Array.isArray(actual) && actual.length === wanted.length, at).toBe(true)
    wanted.forEach((item, index) => {
      expectShown((actual as unknown[])[index], item, `${at}/${index}`)
    })
  } else if (typeof wanted === 'object' && wanted !== null) {
    for (const [key, value] of Object.entries(wanted))
      expectShown((actual as Record<string, unknown> | undefined)?.[key], value, `${at}/${key}`)
  } else {
    expect(actual, at).toEqual(wanted)
  }
}

const agents = [...readme.matchAll(/`npx (recapd connect ([a-z-]+))`/g)].map((match) => match[2] ?? '')

describe('the agents that the README points here', () => {
  it.each(agents)('recapd connect %s writes its settings, and takes them back', (client) => {
    const home = mkdtempSync(path.join(tmpdir(), 'recapd-readme-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const files = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(json|toml|yml|ts)$/.test(name))
    const connect = (...flags: string[]) =>
      spawnSync(process.execPath, [path.join(root, 'src/main.ts'), 'connect', client, ...flags], {
        cwd: root,
        env: { HOME: home },
        encoding: 'utf8',
      })
    expect(connect()).toMatchObject({ status: 0, stderr: '' })
    const written = files().filter((name) => !name.includes('recapd/connect'))
    expect(written).toHaveLength(1)
    expect(readFileSync(path.join(home, written[0] ?? ''), 'utf8')).toContain('http://127.0.0.1:8484')
    expect(connect('--undo')).toMatchObject({ status: 0, stderr: '' })
    expect(files()).toEqual([])
  })

  it('are five', () => {
    expect(agents).toHaveLength(5)
  })
})

describe('the code of the README', () => {
  const blocks = fences.filter(({ language }) => language === 'js').map(({ text }) => text)
  const [first, second, third] = blocks

  it('AI SDK: the adapter is there and makes a prepareStep', async () => {
    const [, file = ''] = /from '(.+)'/.exec(first ?? '') ?? []
    const { recapdCompaction } = await import(path.join(root, file))
    const options = /recapdCompaction\((\{.+\})\)/.exec(first ?? '')?.[1] ?? ''
    expect(options).toContain('contextWindow')
    const prepareStep = recapdCompaction({ url: 'http://127.0.0.1:9', contextWindow: 200_000 })
    expect(await prepareStep({ messages: [{ role: 'user', content: 'hello' }] })).toBeUndefined()
  })

  it('LangChain: the adapter is there under its name', () => {
    const [, file = ''] = /from '(.+)'/.exec(second ?? '') ?? []
    expect(readFileSync(path.join(root, file), 'utf8')).toContain('export function recapdMiddleware(')
  })

  it('openai: runs as it stands, against a service', async () => {
    const service = await startServiceProcess({})
    onTestFinished(service.stop)
    const file = path.join(root, 'test', `readme-${process.pid}.mjs`)
    onTestFinished(() => rmSync(file, { force: true }))
    writeFileSync(
      file,
      `${third?.replace('http://127.0.0.1:8484', service.url)}\nconsole.log(choices[0].message.content)`,
    )
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: root, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/billing/)
  })
})
