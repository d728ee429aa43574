import type { Call, Conversation, Part, Result, Turn } from '../conversation/conversation.ts'
import { errorLineOf, interruptedText, wordsInside } from '../conversation/results/result.ts'
import { balanceBidi, sliceSafely } from '../text/clean.ts'
import { promptTexts } from '../text/prompt-texts.ts'
import { OWN_LABELS } from '../text/structure/labels.ts'
import { neutralizeLabels } from '../text/structure/neutralize.ts'

/** Results longer than this keep head and tail: errors sit at the end (docs/spec/compaction.md §6). */
const RESULT_LIMIT = 2000
const HEAD = 1200
const TAIL = RESULT_LIMIT - HEAD
const OUTCOME_LIMIT = 300

export interface SerializeOptions {
  /** `outcomes`: of each result one line that says what came of the call. */
  readonly results?: 'whole' | 'outcomes' | undefined
}

/** A clean result within the limit, or its head and tail around a marker with the count of characters left out. */
export function clipResult(text: string): string {
  if (text.length <= RESULT_LIMIT) return text
  const head = sliceSafely(text, 0, HEAD)
  const tail = sliceSafely(text, text.length - TAIL, text.length)
  const left = text.length - head.length - tail.length
  // A cut makes a new line: what stood inside of one must not become a label at its start.
  return balanceBidi(`${head}\n\n[... ${left} more characters truncated]\n\n${neutralizeLabels(tail)}`)
}

const RESULTS: ReadonlySet<string> = new Set([OWN_LABELS['tool-result'], OWN_LABELS['tool-error']])
/** What stands before a block, by its label. */
const FIRST = openings('')
const NEXT = openings('\n\n')

function openings(gap: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(OWN_LABELS).map((label) => [label, `${gap}[${label}]: `]))
}

const NO_NAME = /[^\w.:/-]/g
const NO_KEY = /[^\w$-]|^(?=[\d-])/g
const MOST_NAME = 80
/** What nearly all names are: nothing to replace. */
const PLAIN_KEY = /^[A-Za-z_]\w{0,79}$/

/** `name(k=JSON, k2=JSON)`: what stands in JSON cannot be taken for a further call. A bare text is its `input`. */
function callText({ name, arguments: given }: Call): string {
  let told = ''
  for (const [key, value] of Object.entries(given)) {
    const plain = PLAIN_KEY.test(key) ? key : key.replace(NO_KEY, '_').slice(0, MOST_NAME)
    told += `${told === '' ? '' : ', '}${plain}=${JSON.stringify(value)}`
  }
  return `${PLAIN_KEY.test(name) ? name : name.replace(NO_NAME, '_').slice(0, MOST_NAME)}(${told})`
}

/** Label and text of a result; '' for a text that is left out. */
type ToldResult = (result: Result) => { readonly label: string; readonly text: string }

/** Interrupted calls are shown as errors, so that a summary does not take them for done (docs/bug-log.md B011, B020). */
const wholeResult: ToldResult = ({ call, text, isError, status }) => {
  if (status === 'interrupted' && text === '') return { label: OWN_LABELS['tool-error'], text: interruptedText(call) }
  if (!isError && status !== 'failed' && status !== 'denied') return { label: OWN_LABELS['tool-result'], text }
  return { label: OWN_LABELS['tool-error'], text: text === '' ? '(no output)' : text }
}

/** A result in one line: branches leave out what came back, and nobody may take a finished thing for open (docs/spec/truth.md §10). */
const outcomeOf: ToldResult = (result) => {
  const { status } = result
  const label = status === 'ok' || status === 'unknown' ? OWN_LABELS['tool-result'] : OWN_LABELS['tool-error']
  return { label, text: outcomeLine(result) }
}

function outcomeLine(result: Result): string {
  switch (result.status) {
    case 'ok':
      return '→ ok'
    case 'failed':
      return `→ failed: ${sliceSafely(errorLineOf(result) ?? '(no output)', 0, OUTCOME_LIMIT)}`
    case 'denied': {
      const words = wordsInside(result)?.text ?? ''
      return words === '' ? '→ denied by the user' : `→ denied by the user: ${sliceSafely(words, 0, OUTCOME_LIMIT)}`
    }
    case 'interrupted':
      return '→ interrupted'
    case 'unknown':
      return ''
    default:
      return result.status satisfies never
  }
}

/** What a part says in words; '' for calls and results, which have blocks of their own. */
function spokenText(part: Part): string {
  switch (part.kind) {
    case 'words':
      // Words inside a result are shown with it.
      return part.inside === undefined ? part.text : ''
    case 'machine':
      return part.text
    case 'summary':
      return part.framed ?? part.text
    case 'media':
      return part.name === '' ? `[${part.media}]` : `[${part.media}: ${part.name}]`
    case 'opaque':
      return part.text === '' ? `[${part.type}]` : `[${part.type}: ${part.text}]`
    case 'thinking':
    case 'call':
    case 'result':
      return ''
    default:
      return part satisfies never
  }
}

/** What the parts say, one under the other. */
function saidIn(parts: readonly Part[]): string {
  let said = ''
  for (const part of parts) {
    const text = spokenText(part)
    if (text !== '') said += said === '' ? text : `\n${text}`
  }
  return said
}

function thoughtsIn(parts: readonly Part[]): string {
  let thoughts = ''
  for (const part of parts)
    if (part.kind === 'thinking' && part.text !== '') thoughts += thoughts === '' ? part.text : `\n${part.text}`
  return thoughts
}

/** Blocks that say something, in order: labels and texts apart, since the texts are made safe together. */
class Blocks {
  readonly labels: string[] = []
  readonly texts: string[] = []

  add(label: string, text: string): void {
    if (text === '') return
    this.labels.push(label)
    this.texts.push(text)
  }

  addTurn({ speaker, parts }: Turn, toldResult: ToldResult): void {
    switch (speaker) {
      case 'user':
      case 'machine':
        this.add(OWN_LABELS[speaker], saidIn(parts))
        break
      case 'tool':
        for (const part of parts) {
          if (part.kind !== 'result') continue
          const { label, text } = toldResult(part)
          this.add(label, text)
        }
        break
      case 'assistant':
        this.add(OWN_LABELS.thinking, thoughtsIn(parts))
        this.add(OWN_LABELS.assistant, saidIn(parts))
        this.add(OWN_LABELS['tool-calls'], callsIn(parts))
        break
      default:
        speaker satisfies never
    }
  }
}

function callsIn(parts: readonly Part[]): string {
  let told = ''
  for (const part of parts) if (part.kind === 'call') told += told === '' ? callText(part) : `; ${callText(part)}`
  return told
}

/**
 * The conversation as labelled blocks (docs/spec/compaction.md §6), ready to stand between `<conversation>` tags. Empty blocks
 * are left out. Everything is cleaned and redacted BEFORE it is cut, so that no half of a secret gets past.
 */
export function serialize({ turns }: Conversation, { results = 'whole' }: SerializeOptions = {}): string {
  const blocks = new Blocks()
  for (const turn of turns) blocks.addTurn(turn, results === 'outcomes' ? outcomeOf : wholeResult)
  const texts = promptTexts(blocks.texts)
  // Added up and not joined: the engine copies it once, when it becomes part of a prompt.
  let told = ''
  for (let at = 0; at < texts.length; at += 1) {
    const label = blocks.labels[at] ?? ''
    const text = texts[at] ?? ''
    told += (at === 0 ? FIRST : NEXT)[label] ?? ''
    told += RESULTS.has(label) ? clipResult(text) : text
  }
  return told
}
