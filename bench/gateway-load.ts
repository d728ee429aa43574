// What the benches of /summarize share: what is asked, how the provider answers, how the service is set.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { summarizeExtractively } from '../src/domain/extractive/summarize-extractively.ts'
import { agentText } from './agent-text.ts'
import { generateLoad, type LoadResult } from './generate-load.ts'
import { ompPrompt } from './omp-prompt.ts'
import { mockProvider, UNLIMITED } from './start-recapd.ts'
import { startServer } from './start-server.ts'

const SYSTEM = 'You are a careful assistant that writes short, factual summaries of engineering conversations.'
const KB = 1024

/** What is asked and how the provider answers. `omp`: a conversation, headings, the audit on. */
export const CASES = [
  { title: '2 KB', answer: 'sentences', prompt: () => agentText(2 * KB) },
  { title: '200 KB', answer: 'sentences', prompt: () => agentText(200 * KB) },
  { title: '200 KB as omp sends it', answer: 'headings', prompt: () => ompPrompt(200 * KB) },
] as const
export type Case = (typeof CASES)[number]

/** Every feature of the service on; every prompt is another one, and what is measured is a call. */
export const configFor = (upstream: string) => ({
  ...UNLIMITED,
  providers: mockProvider(
    `${upstream}/v1`,
    { contextWindow: 1_000_000, maxOutputTokens: 16_384, price: { input: 1, output: 2 } },
    { maxConcurrency: 256 },
  ),
})

export interface Upstream {
  readonly url: string
  /** `delay/50`, `answer/headings`: how it answers from now on. */
  tell(what: string): Promise<Response>
  stop(): Promise<void>
}

/** A provider on the other core. */
export async function startUpstream(): Promise<Upstream> {
  const program = fileURLToPath(new URL('servers/upstream.ts', import.meta.url))
  const { port, stop } = await startServer([process.execPath, program], { ANSWER_FILE: answerFile() }, 1)
  const url = `http://127.0.0.1:${port}`
  return { url, stop, tell: (what) => fetch(`${url}/${what}`, { method: 'POST' }) }
}

/** An answer that passes for a summary of what omp sends: its headings filled with what is true. */
function answerFile(): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recapd-bench-')), 'answer.md')
  const answer = summarizeExtractively({ prompt: ompPrompt(200 * KB) })
  writeFileSync(file, answer.slice(answer.indexOf('## ')))
  return file
}

/** Who is asked, and in which shape. */
export interface Asked {
  readonly port: number
  readonly path: string
  readonly shape: 'summarize' | 'chat'
  readonly headers: Readonly<Record<string, string>>
}

export interface Load {
  readonly prompt: string
  readonly seconds: number
  readonly connections: number
}

export function loadOnce(
  peers: string,
  asked: Asked,
  { prompt: text, seconds, connections }: Load,
): Promise<LoadResult> {
  // autocannon puts another id in every body: equal prompts in flight would share one upstream call.
  const prompt = `Case [<id>]. ${text}`
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: prompt },
  ]
  const body = asked.shape === 'summarize' ? { systemPrompt: SYSTEM, prompt } : { model: 'mock-model', messages }
  return generateLoad(peers, {
    url: `http://127.0.0.1:${asked.port}${asked.path}`,
    connections,
    duration: seconds,
    method: 'POST',
    idReplacement: true,
    headers: { 'content-type': 'application/json', ...asked.headers },
    body: JSON.stringify(body),
  })
}
