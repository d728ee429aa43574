// The table of the README: `recapd eval` on recorded sessions with the embedded model and with two models that are known to be
// bad. Both write what the embedded one writes: `fake/lossy` without every third line, `fake/stale` with every failure of the
// session told as open.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { summarizeExtractively } from '../src/domain/extractive/summarize-extractively.ts'
import { CORPUS, corpusFiles, hasCorpus } from '../test/support/corpus.ts'
import { fakeProvider, type RecordedRequest, type Reply } from '../test/support/fake-provider.ts'

const NOTE = /^Note: .*\n+/

function lossy(summary: string): string {
  const lines = summary.split('\n')
  return lines.filter((line, at) => !/^\s*(?:[-*]|\d+\.) /.test(line) || at % 3 !== 0).join('\n')
}

function stale(summary: string, prompt: string): string {
  const failures = [...prompt.matchAll(/^\[Tool error\]: (.{10,200})/gm)].map((match) => `- ${match[1]}`)
  return `${summary}\n\n## Blocked\n${failures.join('\n')}`
}

function answer({ body }: RecordedRequest): Reply {
  const messages = body['messages'] as readonly { readonly content: string }[]
  const prompt = messages.at(-1)?.content ?? ''
  const summary = summarizeExtractively({ prompt }).replace(NOTE, '')
  const text = body['model'] === 'lossy' ? lossy(summary) : stale(summary, prompt)
  const usage = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: Math.ceil(text.length / 4) }
  return { text, usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }
}

const ROOT = path.resolve(import.meta.dirname, '..')
const MODELS = ['recapd/extractive', 'fake/lossy', 'fake/stale']

/** Prints what `recapd eval` says of the recorded sessions of pi and omp, or of the example where there is no corpus. */
export async function evalBench(): Promise<void> {
  const files = hasCorpus
    ? corpusFiles('pi', '.jsonl').map((name) => path.join(CORPUS, name))
    : [path.join(ROOT, 'examples/session.jsonl')]
  const provider = await fakeProvider(answer)
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-eval-'))
  const config = path.join(folder, 'recapd.json')
  writeFileSync(config, JSON.stringify(configFor(provider.url)))
  const child = spawn(process.execPath, ['src/main.ts', 'eval', ...files, '--models', MODELS.join(',')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], RECAPD_CONFIG: config },
    stdio: 'inherit',
  })
  await once(child, 'exit')
  await provider.close()
  rmSync(folder, { recursive: true })
}

function configFor(baseUrl: string): object {
  const model = { contextWindow: 1_000_000, maxOutputTokens: 16_384, price: { input: 0.25, output: 2 } }
  return {
    providers: { fake: { baseUrl, apiKeys: ['none'], models: { lossy: model, stale: model } } },
    candidates: MODELS.toReversed(),
    // What they leave out is what is to be seen.
    audit: { summarize: false },
  }
}
