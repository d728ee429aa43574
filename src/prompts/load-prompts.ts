import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fault, RecapdError } from '../domain/errors.ts'
import { tableOf } from '../domain/keys-of.ts'
import { checkPrompts } from '../domain/prompts/check-prompts.ts'
import { isPromptName, PROMPT_NAMES, type PromptName, type Prompts } from '../domain/prompts/prompts-shape.ts'

const EXTENSION = '.md'

/** Where the prompts that come with recapd lie. */
export const PROMPTS_FOLDER = fileURLToPath(new URL('../../prompts/', import.meta.url))

/**
 * Reads the prompts of `directory`, single files replaced by those of `overrideDirectory` (RECAPD_PROMPTS). Throws
 * `invalid-request` with every fault in `extras.errors`; main refuses to start on it.
 */
export function loadPrompts(directory: string, overrideDirectory?: string): Prompts {
  const faults: Fault[] = []
  const templates = readTemplates(directory, faults)
  if (overrideDirectory !== undefined) {
    for (const [name, text] of readTemplates(overrideDirectory, faults)) {
      // A misspelt file would otherwise be ignored in silence and the operator would wonder.
      if (isPromptName(name)) templates.set(name, text)
      else
        faults.push({
          path: `${name}${EXTENSION}`,
          message: `no prompt has this name; known: ${PROMPT_NAMES.join(', ')}`,
        })
    }
  }
  faults.push(...checkPrompts(templates))
  if (faults.length > 0) {
    const list = faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ')
    throw new RecapdError('invalid-request', `Cannot load prompts: ${list}`, { errors: faults })
  }
  return freeze(templates)
}

function readTemplates(directory: string, faults: Fault[]): Map<string, string> {
  const templates = new Map<string, string>()
  try {
    for (const file of readdirSync(directory).sort()) {
      if (!file.endsWith(EXTENSION)) continue
      const name = file.slice(0, -EXTENSION.length)
      templates.set(name, normalize(name, readFileSync(join(directory, file), 'utf8')))
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    faults.push({ path: directory, message: `cannot be read (${reason})` })
  }
  return templates
}

/** Editors disagree about line ends and the last newline; the layout of a prompt must not depend on them. */
function normalize(name: string, text: string): string {
  const body = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd()
  // The summary follows the preamble directly, so the blank line belongs to it (docs/spec/compaction.md §9).
  return name === ('branch-summary-preamble' satisfies PromptName) && body !== '' ? `${body}\n\n` : body
}

function freeze(templates: ReadonlyMap<string, string>): Prompts {
  return Object.freeze(tableOf(PROMPT_NAMES, (name) => templates.get(name) ?? ''))
}
