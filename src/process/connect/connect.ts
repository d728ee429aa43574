import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { errnoOf } from '../../domain/errno-of.ts'
import { parseJson } from '../../domain/parse-json.ts'
import type { Setting, Written } from './setting.ts'

/** What a change would do to a file; null: the file is not there. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** A client's file and what is set there. */
export interface Place {
  readonly file: string
  readonly setting: Setting
}

/** The change that connects a client; nothing is written yet. */
export function connecting(client: string, { file, setting }: Place): FileChange {
  const before = textOf(file)
  const memory = memoryOf(client)
  // As we left it, perhaps with another address: it is written again from what was there before us.
  return { file, before, after: setting.add(memory !== null && memory.after === before ? memory.before : before) }
}

/** The change that undoes it. Later edits stay: then only our own values are removed. */
export function disconnecting(client: string, { file, setting }: Place): FileChange {
  const now = textOf(file)
  if (now === null) return { file, before: null, after: null }
  const memory = memoryOf(client)
  if (memory !== null && memory.after === now) return { file, before: now, after: memory.before }
  return { file, before: now, after: setting.remove(now, memory) }
}

/** Writes a change, and remembers or forgets what was there before. */
export function applyChange(client: string, { file, before, after }: FileChange, isUndo: boolean): void {
  if (after === null) rmSync(file, { force: true })
  else {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, after)
  }
  if (isUndo || after === null) {
    rmSync(memoryFile(client), { force: true })
    return
  }
  // Connected a second time, with another address: the first state is the one to go back to.
  const first = memoryOf(client)
  const memory: Written = { before: first !== null && first.after === before ? first.before : before, after }
  mkdirSync(path.dirname(memoryFile(client)), { recursive: true })
  writeFileSync(memoryFile(client), JSON.stringify(memory), { mode: 0o600 })
}

const memoryFile = (client: string): string =>
  path.join(process.env['XDG_STATE_HOME'] || path.join(homedir(), '.local/state'), 'recapd/connect', `${client}.json`)

const written = z.object({ before: z.string().nullable(), after: z.string() })

/** What was remembered of a client; null also where the file is damaged. */
function memoryOf(client: string): Written | null {
  const text = textOf(memoryFile(client))
  return text === null ? null : (written.safeParse(parseJson(text)).data ?? null)
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}
