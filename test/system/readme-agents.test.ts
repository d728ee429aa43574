import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { folderOf, hasPeers, install, MINUTES } from '../support/real-clients.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
const agents = [...readme.matchAll(/`npx (recapd connect ([a-z-]+))`/g)].map((match) => match[2] ?? '')

describe('the agents that the README points here', () => {
  it.each(agents)('recapd connect %s writes its settings, and takes them back', (client) => {
    const home = mkdtempSync(path.join(tmpdir(), 'recapd-readme-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const files = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(json|toml|yml|ts)$/.test(name))
    const connect = (...flags: string[]) =>
      spawnSync(process.execPath, [path.join(ROOT, 'src/main.ts'), 'connect', client, ...flags], {
        cwd: ROOT,
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

/** Every `proxy: {…}` that the README tells to write into the configuration, as one. */
const proxies = Object.assign(
  {},
  ...[...readme.matchAll(/`proxy: (\{[^`]+\})`/g)].map((match) => parse(match[1] ?? '')),
) as Readonly<Record<string, { readonly url: string; readonly speaks: string }>>

const said = (role: string, text: string) => ({ type: 'message', role, content: text })
const STORY = [
  said('user', 'Rename the queue to jobs. Never touch billing.'),
  said('assistant', 'The queue is renamed.'),
]

/** What each agent sends at the address that the README gives it when it compacts; the address is `base`. */
const CALLS = [
  {
    agent: 'Claude Code',
    path: '/v1/messages?beta=true',
    body: {
      model: 'claude-opus-4-8',
      max_tokens: 64_000,
      stream: true,
      system: 'You are Claude Code.',
      tools: [{ name: 'Edit' }],
      messages: [
        ...STORY.map(({ role, content }) => ({ role, content })),
        {
          role: 'user',
          content:
            'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the conversation so far.',
        },
      ],
    },
  },
  {
    agent: 'Codex',
    path: '/responses',
    body: { model: 'gpt-5.2', stream: true, input: [...STORY, { type: 'compaction_trigger' }] },
  },
  {
    agent: 'Gemini CLI',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: {
      systemInstruction: {
        parts: [{ text: 'You are a specialized system component responsible for distilling chat history into XML.' }],
      },
      contents: [
        { role: 'user', parts: [{ text: 'Rename the queue to jobs. Never touch billing.' }] },
        { role: 'model', parts: [{ text: 'The queue is renamed.' }] },
        { role: 'user', parts: [{ text: 'Think first, then generate the updated <state_snapshot>.' }] },
      ],
    },
  },
  { agent: 'OpenAI Agents SDK', path: '/responses/compact', body: { model: 'gpt-5.2', input: STORY } },
] as const

describe('the proxies of the README', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({ proxy: proxies })
  })
  afterAll(() => service.stop())

  /** The address that each of them is given, of this service. */
  const baseOf = (agent: string): string => {
    const wanted = { 'Claude Code': 'claude-code', Codex: 'codex' }[agent]
    if (wanted === undefined) {
      const mark = agent === 'Gemini CLI' ? /GOOGLE_GEMINI_BASE_URL=(\S+?)`/ : /baseURL: '([^']+proxy[^']+)'/
      return (mark.exec(readme)?.[1] ?? '').replace('http://127.0.0.1:8484', service.url)
    }
    const home = mkdtempSync(path.join(tmpdir(), 'recapd-readme-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const words = [path.join(ROOT, 'src/main.ts'), 'connect', wanted, '--url', service.url]
    const { stdout } = spawnSync(process.execPath, words, { cwd: ROOT, env: { HOME: home }, encoding: 'utf8' })
    return /^\+.*"(http[^"]+)"/m.exec(stdout)?.[1] ?? ''
  }

  it.each(CALLS)('$agent: its compaction is answered here', async ({ agent, path: behind, body }) => {
    const response = await fetch(`${baseOf(agent)}${behind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([response.status, response.headers.get('x-recapd')]).toEqual([200, 'summary'])
    expect(await response.text()).not.toBe('')
  })

  it('name three providers', () => {
    expect(Object.keys(proxies).sort()).toEqual(['anthropic', 'gemini', 'openai'])
    expect(Object.values(proxies).every(({ url }) => url.startsWith('https://'))).toBe(true)
  })

  /** What is asked of each block once it has run as it stands in the client's own folder. */
  const BLOCKS = [
    ['langchain', 'recapdMiddleware', 'console.log(middleware[0].name)', 'RecapdCompaction'],
    [
      'openai-agents',
      'OpenAIResponsesCompactionSession',
      `await session.addItems(${JSON.stringify(
        STORY.map((row) =>
          row.role === 'user'
            ? row
            : { ...row, status: 'completed', content: [{ type: 'output_text', text: row.content }] },
        ),
      )})
await session.runCompaction({ force: true })
console.log((await session.getItems()).map(({ role, type }) => role ?? type).join())`,
      'user,compaction',
    ],
  ] as const

  it.skipIf(!hasPeers).for(BLOCKS)(
    '%s: the block runs as it stands, with the real client',
    { timeout: 5 * MINUTES },
    ([client, mark, more, wanted], { skip }) => {
      const missing = install(client)
      if (missing !== undefined) skip(missing)
      const blocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
      const block = blocks.find((text) => text.includes(mark)) ?? ''
      const folder = path.join(folderOf(client), `recapd-readme-${process.pid}`)
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      mkdirSync(folder, { recursive: true })
      cpSync(path.join(ROOT, 'integrations'), path.join(folder, 'integrations'), { recursive: true })
      const file = path.join(folder, 'run.mjs')
      writeFileSync(file, `${block.replace('http://127.0.0.1:8484', service.url)}\n${more}\n`)
      const env = { PATH: process.env['PATH'], OPENAI_API_KEY: 'sk-none' }
      const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(stdout.trim()).toBe(wanted)
    },
  )
})
