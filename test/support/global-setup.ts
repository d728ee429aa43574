import { CORPUS, hasCorpus } from './corpus.ts'

/** Runs once before all tests. Nothing leaves this machine: tests of the service start what they need on loopback. */
export function setup(): void {
  for (const name of Object.keys(process.env)) {
    if (/^(RECAPD_(?!CORPUS)|OPENAI_|ANTHROPIC_|GEMINI_|OLLAMA_|REDIS_)/.test(name)) delete process.env[name]
  }
  if (!hasCorpus) console.warn(`Skipped: tests on recorded sessions. No corpus at ${CORPUS}; set RECAPD_CORPUS.`)
}
