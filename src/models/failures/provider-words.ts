import { cleanCharacters } from '../../domain/text/clean.ts'
import { redact } from '../../domain/text/redact.ts'
import type { CompletionRequest } from '../model.ts'
import type { ProviderWords } from '../model-error.ts'
import type { Failure } from './classify.ts'
import { readFailureBody } from './failure-body.ts'

/** What a provider's words must not give away. */
export interface Confidential {
  /** The key of the call, or everything in a caller's own request that may be one. */
  readonly keys: readonly (string | undefined)[]
  readonly request: Pick<CompletionRequest, 'system' | 'prompt'>
}

const MOST_CHARACTERS = 200
const MOST_READ = 400
/** Longer prompts are not searched for what a provider repeats of them: its message is then left out. */
const MOST_PROMPT = 4_194_304
/** A text that repeats this many characters of a prompt in a row quotes it. Looked for at every half of that length. */
const ECHO = 12
/** Something in quotes, or an uncommon word, is removed even when it is shorter, where the prompt holds it, too. */
// bounded: one line of at most 400 characters
const QUOTED = /(["'`“„«‘])([^"'`“”„«»‘’\n]{4,200})(?=["'`”“»’]|$)/g
// bounded: one line of at most 400 characters, and every match looks at 81 of them
const ODD_WORD = /[\p{L}\d_-]{0,40}[\d_-][\p{L}\d_-]{2,40}/gu
const REQUEST_IDS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id', 'cf-ray']
const REQUEST_ID = /^[\w.:/+=-]{1,200}$/

/** What the provider said of a failure, fit for the operator's log: no key, nothing of the prompt, one short line. */
export function providerWords(failure: Failure, confidential: Confidential): ProviderWords {
  const { code, type, message } = readFailureBody(failure.body).words
  const said = (text: string | undefined, most: number) => {
    const cleaned = text === undefined ? '' : withoutPrompt(withoutKeys(text, confidential), confidential)
    return cleaned === '' ? undefined : cleaned.slice(0, most).toWellFormed()
  }
  return {
    code: said(code, 80),
    type: said(type, 80),
    message: said(message, MOST_CHARACTERS),
    requestId: requestIdOf(failure),
  }
}

function requestIdOf({ headers }: Failure): string | undefined {
  for (const name of REQUEST_IDS) {
    const id = headers?.get(name)
    if (typeof id === 'string' && REQUEST_ID.test(id)) return id
  }
  return undefined
}

/** The beginning of a text; cut after the masking, since half a key would not be recognised. */
function withoutKeys(text: string, { keys }: Confidential): string {
  let masked = text
  for (const key of keys) if (key !== undefined && key !== '') masked = masked.replaceAll(key, '[key]')
  return masked.slice(0, MOST_READ)
}

function withoutPrompt(text: string, { request }: Confidential): string {
  if ([request.prompt, request.system].some(({ length }) => length > MOST_PROMPT)) return ''
  const sources = [request.prompt.text, request.system]
  const oneLine = cleanCharacters(text)
    .replace(/\s{1,400}/g, ' ')
    .trim()
  const unquoted = redact(oneLine).replace(QUOTED, (quoted: string, mark: string, inner: string) =>
    sources.some((source) => source.includes(inner)) ? `${mark}…` : quoted,
  )
  const plain = unquoted.replace(ODD_WORD, (word) => (sources.some((source) => source.includes(word)) ? '…' : word))
  return withoutEchoes(plain, sources)
}

/** Every run of the prompt's own characters becomes an ellipsis. */
function withoutEchoes(text: string, sources: readonly string[]): string {
  let kept = ''
  let from = 0
  for (let at = 0; at + ECHO <= text.length; at += ECHO / 2) {
    const echo = echoAt(text, at, sources)
    if (echo === undefined) continue
    kept += `${text.slice(from, Math.max(from, echo.start))}…`
    from = echo.end
    // The next look is at the first whole half after it.
    at = Math.ceil(from / (ECHO / 2)) * (ECHO / 2) - ECHO / 2
  }
  return kept + text.slice(from)
}

/** The longest run around this place that some source has as well. */
function echoAt(text: string, at: number, sources: readonly string[]): { start: number; end: number } | undefined {
  for (const source of sources) {
    const found = source.indexOf(text.slice(at, at + ECHO))
    if (found < 0) continue
    let [start, end] = [at, at + ECHO]
    while (start > 0 && text[start - 1] === source[found - (at - start) - 1]) start -= 1
    while (end < text.length && text[end] === source[found + (end - at)]) end += 1
    return { start, end }
  }
  return undefined
}
