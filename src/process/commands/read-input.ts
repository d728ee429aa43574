import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { errnoOf } from '../../domain/errno-of.ts'
import { isRecord } from '../../domain/is-record.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { CommandError, EXIT } from './command.ts'

/** A file as a request would bring it: lines as they lie on disk, or one JSON body. */
export type Input = { readonly name: string } & (
  | { readonly kind: 'lines'; readonly bytes: Uint8Array }
  | { readonly kind: 'body'; readonly body: Readonly<Record<string, unknown>> }
)

/** Reads a file (`-` is standard input) and tells a document from lines; the pipelines find out what the rows are. */
export async function readInput(name: string): Promise<Input> {
  const bytes = name === '-' ? await buffer(process.stdin) : await bytesOf(name)
  const body = bodyOf(bytes.toString('utf8').trim())
  return body === null ? { name, kind: 'lines', bytes } : { name, kind: 'body', body }
}

async function bytesOf(name: string): Promise<Buffer> {
  try {
    return await readFile(name)
  } catch (error) {
    const code = errnoOf(error)
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
    throw new CommandError(EXIT.noInput, `cannot read ${name}: ${why}`)
  }
}

/** A list (`[…]`), or an object that holds one, is a document of its own; anything else is taken line by line. */
function bodyOf(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{') && !text.startsWith('[')) return null
  const body = parseJson(text)
  if (Array.isArray(body)) return { [holdsEntries(body) ? 'entries' : 'messages']: body }
  if (!isRecord(body)) return null
  if (Array.isArray(body['entries']) || Array.isArray(body['messages'])) return body
  // The body of a Responses or a Gemini request.
  for (const name of ['input', 'contents']) if (Array.isArray(body[name])) return { messages: body[name] }
  return null
}

const holdsEntries = (rows: readonly unknown[]): boolean =>
  rows.some((row) => typeof row === 'object' && row !== null && 'parentId' in row)
