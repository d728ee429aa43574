import { spelledText, spelling } from '../domain/spelled-json.ts'
import { sliceSafely } from '../domain/text/clean.ts'
import { textTokens } from '../domain/tokens/text-tokens.ts'
import { utf8Length } from '../domain/tokens/utf8.ts'
import { type Prompt, promptTokens, spelledPrompt, textPrompt } from '../models/prompt.ts'

/** A prompt on its way between a thread and the event loop: a short text, or a spelling in memory that both share. */
export type CrossedPrompt =
  | { readonly text: string }
  | { readonly json: Uint8Array; readonly tokens?: number | undefined }

/** Of so much the event loop makes a text, or takes a copy, within a few milliseconds. */
const LONG = 1_048_576

/** A long text is spelled, and its tokens are counted, where that keeps nobody waiting: before it crosses from the thread that made it. */
export function crossPrompt(prompt: Prompt): CrossedPrompt {
  const { json } = prompt
  if (json?.buffer instanceof SharedArrayBuffer) {
    return { json, tokens: json.length > LONG ? promptTokens(prompt) : prompt.tokens }
  }
  const { text } = prompt
  if (text.length <= LONG) return { text }
  const spelled = spelledShared(text)
  spelledHere.set(prompt, spelled)
  last = new WeakRef(prompt)
  return { json: spelled, tokens: textTokens(text) }
}

/** While a prompt is alive in the thread that made it, so is its text: the parts of it are mostly planned there, and need not be read again. */
const spelledHere = new WeakMap<Prompt, Buffer>()
let last: WeakRef<Prompt> | undefined

/** The text of a prompt that has crossed. */
export function crossedText(crossed: CrossedPrompt): string {
  if ('text' in crossed) return crossed.text
  const prompt = last?.deref()
  const isThatOne = prompt !== undefined && spelledHere.get(prompt)?.equals(crossed.json) === true
  return isThatOne ? prompt.text : spelledText(crossed.json)
}

export const uncrossPrompt = (crossed: CrossedPrompt): Prompt =>
  'text' in crossed ? textPrompt(crossed.text) : spelledPrompt(crossed.json, { tokens: crossed.tokens })

/** UTF-16 units that are spelled at once. */
const PIECE = 65_536

/** Room for one more escape in eight bytes at first; what nobody writes to takes no memory. */
function spelledShared(text: string): Buffer {
  let bytes: Buffer = Buffer.from(new SharedArrayBuffer(Math.ceil(1.125 * utf8Length(text))))
  let length = bytes.write('"')
  for (let from = 0; from < text.length; ) {
    const piece = sliceSafely(text, from, from + PIECE)
    const spelled = spelling(piece)
    if (length + spelled.length >= bytes.length) bytes = grown(bytes, length + spelled.length)
    length += spelled.copy(bytes, length)
    from += piece.length
  }
  length += bytes.write('"', length)
  return bytes.subarray(0, length)
}

function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.from(new SharedArrayBuffer(2 * Math.max(needed, bytes.length)))
  bytes.copy(larger)
  return larger
}
