import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const fences = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map((match) => ({
  language: match[1] ?? '',
  text: match[2] ?? '',
}))

/** The cells of each row of a table that holds a curl. */
const rows = [...readme.matchAll(/^\| (.+) \| `(curl [^`]+)` \| (.+) \|$/gm)].map((match) => ({
  what: match[1] ?? '',
  command: match[2] ?? '',
  cells: (match[3] ?? '').split(' | '),
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
      expectShown(JSON.parse(run(command, service)), answer, '')
    },
  )

  it.each(rows.filter(({ cells }) => cells.length === 4).map((row) => [row.what, row] as const))(
    'reads %s as its row shows',
    (_title, { command, cells }) => {
      const answer = JSON.parse(run(command, service)) as CompactAnswer
      expect(answer).toMatchObject({ compacted: true, method: 'extractive', warnings: [] })
      expect(cells).toEqual(shownOf(answer, rowsSent(command)))
      if (answer.messages === undefined) return
      expect(answer.validity).toEqual({ pairs: true, alternation: true, repaired: [] })
      expect(keysOf(sent(command).at(-1))).toEqual(expect.arrayContaining(keysOf(answer.messages.at(-1))))
    },
  )

  it.each(rows.filter(({ cells }) => cells.length === 1).map((row) => [row.what, row] as const))(
    'reads a prompt: %s',
    (_title, { command, cells: [cell = ''] }) => {
      const answer = JSON.parse(run(command, service)) as { summary?: string; choices?: { message: Content }[] }
      const summary = answer.summary ?? answer.choices?.[0]?.message.content ?? ''
      const said = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
      expect(said.filter((text) => !summary.includes(text))).toEqual([])
      expect(said.length).toBeGreaterThanOrEqual(2)
    },
  )

  it('are shown for at least ten inputs that are read', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10)
    expect(readme.match(/^curl |`curl /gm)).toHaveLength(rows.length + shown.length)
  })

  it('shows at least three of them', () => {
    expect(shown.length).toBeGreaterThanOrEqual(3)
  })
})

interface Content {
  readonly content: string
}

interface CompactAnswer {
  readonly source: string
  readonly progress: { readonly tokensBefore: number }
  readonly entry?: { readonly summary: string }
  readonly context?: { readonly messages: readonly unknown[] }
  readonly summary?: string
  readonly messages?: readonly unknown[]
  readonly validity?: unknown
}

function run(command: string, { url }: ServiceProcess): string {
  const here = command.replaceAll('localhost:8484', url.replace('http://', ''))
  const { stdout, stderr } = spawnSync('bash', ['-c', here], { cwd: root, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

/** The rows of the file that a command sends. */
function sent(command: string): unknown[] {
  const file = /@(\S+)/.exec(command)?.[1] ?? ''
  const text = readFileSync(path.join(root, file), 'utf8')
  if (file.endsWith('.json')) return (JSON.parse(text) as { messages: unknown[] }).messages
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

/** How many of them are messages that a model sees, told apart by their own marks. */
function rowsSent(command: string): number {
  const isMessage = (row: unknown) => {
    const { type } = row as { type?: string }
    return !/^(session|session_meta|turn_context|event_msg|file-history-snapshot)$/.test(type ?? '')
  }
  return sent(command).filter(isMessage).length
}

/** The columns of the README, from an answer. */
function shownOf(answer: CompactAnswer, before: number): string[] {
  const summary = answer.summary ?? answer.entry?.summary ?? ''
  const after = (answer.messages ?? answer.context?.messages ?? []).length
  const files = /<modified-files>\n([\s\S]*?)\n<\/modified-files>/.exec(summary)?.[1]?.split('\n') ?? []
  return [
    `\`${answer.source}\``,
    `${before} → ${after}`,
    String(answer.progress.tokensBefore),
    files.map((file) => `\`${file}\``).join(' '),
  ]
}

/** The keys of a row, or of the message that a line of a session file holds: what tells one form from the others. */
function keysOf(row: unknown): string[] {
  const { payload, message, ...own } = row as Record<string, unknown>
  return Object.keys((payload ?? message ?? own) as object)
}

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

describe('the code of the README', () => {
  const blocks = fences.filter(({ language }) => language === 'js').map(({ text }) => text)
  const [first, second, agents, third] = blocks

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

  it('Agents SDK: the client of its block gets a compaction item, whatever the provider would say', async () => {
    const [, address = ''] = /baseURL: '([^']+)'/.exec(agents ?? '') ?? []
    const service = await startServiceProcess({ proxy: { openai: { url: 'http://127.0.0.1:9', speaks: 'openai' } } })
    onTestFinished(service.stop)
    const baseURL = address.replace('http://127.0.0.1:8484', service.url)
    const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 })
    const input = [{ role: 'user' as const, content: 'Rename the queue to jobs. Never touch billing.' }]
    const { output } = await client.responses.compact({ model: 'gpt-5.2', input })
    expect(output.at(-1)).toMatchObject({ type: 'compaction', encrypted_content: expect.stringMatching(/^recapd1\./) })
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
