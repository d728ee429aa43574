import { isRecord } from '../is-record.ts'
import { readJson } from '../text/read-json.ts'

/** One tool call as a transcript shows it: `name(k=json, k2=json)`. */
export interface ParsedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

const NAME = /[A-Za-z_][\w.:/-]{0,120}\(/y
const KEY = /\s*([A-Za-z_$][\w$-]{0,80})=/y
const BETWEEN = /[\s;,]*/y
const SEPARATOR = /; |\n/g
const SPACE = /\s*/y
const COMMA = /\s*,?/y
const CLOSE = /\s*\)?/y

/**
 * Calls of one block, in order (docs/spec/sessions.md §8). Values are JSON; what was cut or is not JSON is read as far as it goes, so
 * a path at the front survives a content that was cut. Also reads `name({"k": "v"})` and a JSON list of calls. Never throws.
 */
export function parseCalls(text: string): ParsedCall[] {
  if (text.startsWith('[{')) return listedCalls(text)
  const calls: ParsedCall[] = []
  let at = 0
  while (at < text.length) {
    at = skip(BETWEEN, text, at)
    NAME.lastIndex = at
    const name = NAME.exec(text)
    if (name === null) {
      // No call here: go on after the next separator, as after arguments that could not be read.
      const next = nextSeparator(text, at)
      if (next < 0) break
      at = next
      continue
    }
    const parsed = readArguments(text, at + name[0].length)
    calls.push({ name: name[0].slice(0, -1), args: parsed.args })
    // Arguments that could not be read to their end say nothing about where the call stops.
    at = text[parsed.end - 1] === ')' ? parsed.end : nextSeparator(text, parsed.end)
    if (at < 0) break
  }
  return calls
}

/** `[{"name": "edit", "args": {…}}]` */
function listedCalls(text: string): ParsedCall[] {
  const { value } = readJson(text, 0)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.flatMap((item) => {
    if (!isRecord(item) || typeof item['name'] !== 'string') return []
    const args = item['args'] ?? item['arguments']
    return [{ name: item['name'], args: isRecord(args) ? args : {} }]
  })
}

const PATCH_BEGINS = '*** Begin Patch'
const PATCH_ENDS = '*** End Patch'

/** A tool that takes a patch and nothing else: the patch up to its end mark, or to the end of what was cut. */
function patchArgument(text: string, from: number): { args: Record<string, unknown>; end: number } {
  const mark = text.indexOf(PATCH_ENDS, from)
  const end = mark < 0 ? text.length : mark + PATCH_ENDS.length
  return { args: { input: text.slice(from, end) }, end: closeAt(text, end) }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

function nextSeparator(text: string, at: number): number {
  SEPARATOR.lastIndex = at
  const found = SEPARATOR.exec(text)
  return found === null ? -1 : found.index + 1
}

function readArguments(text: string, from: number): { args: Record<string, unknown>; end: number } {
  const entries: [string, unknown][] = []
  let at = skip(SPACE, text, from)
  if (text[at] === '{') {
    const { value, end } = readJson(text, at)
    return { args: isRecord(value) ? value : {}, end: closeAt(text, end) }
  }
  if (text.startsWith(PATCH_BEGINS, at)) return patchArgument(text, at)
  for (;;) {
    KEY.lastIndex = at
    const key = KEY.exec(text)
    if (key === null) break
    const { value, end } = readJson(text, at + key[0].length)
    entries.push([key[1] ?? '', value])
    at = skip(COMMA, text, end)
  }
  // fromEntries defines own properties, so that a key named __proto__ stays data.
  return { args: Object.fromEntries(entries), end: closeAt(text, at) }
}

/** Behind the closing parenthesis when it is there; otherwise where reading stopped. */
function closeAt(text: string, at: number): number {
  return skip(CLOSE, text, at)
}
