import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The folder of recorded sessions that some tests read: RECAPD_CORPUS, else `../shared/corpus` beside the checkout. It is not
 * part of the repository (CONTRIBUTING.md says what it holds); without it those tests are skipped, and the run says so.
 */
export const CORPUS = path.resolve(
  process.env['RECAPD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared/corpus'),
)
export const hasCorpus = existsSync(CORPUS)

/** What stands in the title of a group of tests that is skipped without it: `describe.skipIf(!hasCorpus)(...)`. */
export const CORPUS_NOTE = hasCorpus ? 'corpus' : `skipped: no corpus at ${CORPUS}, set RECAPD_CORPUS`

/** The files, named as in `pi/some-session.jsonl`, of one of its folders (pi, claude-code, codex, openai, anthropic). */
export function corpusFiles(folder: string, extension: '.jsonl' | '.json'): readonly string[] {
  const place = path.join(CORPUS, folder)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`)
}

/** The text of one such file. */
export const corpusText = (name: string): string => readFileSync(path.join(CORPUS, name), 'utf8')
