import { signsOf } from '../../tokens/utf8.ts'
import type { ModifiedFile } from '../ledger-value.ts'

/** How lines of our own summaries begin: written by the extractive summary and the audit, read back in the next generation. */
export const LINE = {
  first: 'First request: ',
  newest: 'Newest request: ',
  earlierAsk: 'Then: ',
  answers: 'It answers the assistant: ',
  state: 'State: ',
  links: 'Links and ids: ',
  names: 'Names spoken of: ',
  lastWords: 'Last words of the assistant: ',
  lastSteps: 'Last steps: ',
  waits: 'The assistant asked and waits for an answer: ',
  unanswered: 'Unanswered question of the user: ',
  error: 'Unresolved error: ',
  soFar: 'So far: ',
  cameOf: 'Came of the newest request: ',
  underWay: 'Under way: ',
  notBegun: 'Not begun: ',
  interrupted: 'Interrupted: ',
  filesRead: 'Files read: ',
  proposal: 'Proposed, not accepted: ',
  planned: 'planned earlier: ',
} as const

/** Lines that tell the state of their day: never carried (docs/spec/truth.md §5). */
export const VOLATILE =
  /^(?:It answers the assistant|Last words of the assistant|Last steps|The assistant asked and waits for an answer|Unanswered question(?: of the user)?|Unresolved errors?|Unsolved|Open error|Interrupted|Files read|Not begun|Under way|[Pp]lanned earlier|Proposed, not accepted|Nothing is open|Then|Last removed turns): |^Nothing is open\b|^The request above is the only one|^`[^`\n]{1,300}` (?:ran without error|failed|exited with code \d+) \(last run\)$|^\d+ messages were removed;/

/** Of these, the lines that a later turn of the user's has settled. */
export const VOLATILE_BEFORE_TURN =
  /^(?:- |\d{1,2}\. )(?:Last words of the assistant|Last steps|The assistant asked and waits for an answer|Unanswered question of the user|Not begun|Under way|It answers the assistant|Proposed, not accepted): |^(?:- |\d{1,2}\. )Nothing is open\b/

/** How lines that name files by what became of them begin. */
const FILE_LEADS: Readonly<Record<ModifiedFile['how'], string>> = {
  written: 'Wrote ',
  edited: 'Edited ',
  deleted: 'Deleted ',
  moved: 'Moved ',
}
const PATH = /^[^\s,;:]{1,400}$/
const LOOKS_LIKE_PATH = /[/\\.]/
const FILE_LINE = /^(Wrote and edited|Wrote|Edited|Deleted|Moved) (?:in (\S{1,400}\/): )?(.{1,8000})$/s
const TO = ' to '

/** How a line of files begins, with the folder they are in. */
export const fileLead = (how: ModifiedFile['how'], root: string): string =>
  root === '' ? FILE_LEADS[how] : `${FILE_LEADS[how]}in ${root}: `

/** A file in such a line; of a moved one where it went. */
export const filePhrase = ({ path, to }: ModifiedFile): string => (to === undefined ? path : `${path}${TO}${to}`)

/** Reads such a line back; null for prose that only begins like one. */
export function filesFrom(line: string): ModifiedFile[] | null {
  const [, verb = '', root = '', list = ''] = FILE_LINE.exec(line) ?? []
  if (verb === '') return null
  const how = HOWS.find((each) => verb.startsWith(FILE_LEADS[each].trim())) ?? 'edited'
  const phrases = list.replace(/ \(\d{1,6} times\)/g, '').split(/, |; /)
  const files = phrases.map((phrase): ModifiedFile => {
    const at = how === 'moved' ? phrase.indexOf(TO) : -1
    return at < 0
      ? { path: phrase.trim(), how }
      : { path: phrase.slice(0, at).trim(), how, to: phrase.slice(at + TO.length) }
  })
  const rooted = files.map((file) => ({ ...file, path: `${root}${file.path}` }))
  return files.every(({ path }) => PATH.test(path) && (root !== '' || LOOKS_LIKE_PATH.test(path))) ? rooted : null
}

const HOWS = ['written', 'edited', 'deleted', 'moved'] as const

const ASK_MOST = 64

/** What came of a request, after the first words of it. */
export function outcomeLine(ask: string, outcome: string): string {
  const words = ask.replace(/\s+/g, ' ').trim()
  const most = signsOf(ASK_MOST, words)
  const space = words.lastIndexOf(' ', most)
  const short = words.length <= most ? words : `${words.slice(0, space > 0 ? space : most).trimEnd()} …`
  return `“${short}” → ${outcome}`
}
