import { modifiedPaths } from '../../conversation/call.ts'
import { contentWords, shareOf } from '../content-words.ts'
import { CUES } from '../cues/patterns.ts'
import { isDone } from '../files.ts'
import type { Timeline } from '../timeline.ts'

/** Files, folders, commands and other names in code marks that a step speaks of. */
const OBJECT =
  /`([^`\n]{2,120})`|(?<![\w/.@~-])((?:[\w@~.-]+\/)+[\w@.-]*|[\w@-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,5})(?![\w/-])/gi
const VERBS: readonly (readonly [RegExp, RegExp])[] = [
  // bounded: every match looks at 180 characters at most
  [/\bcommit/i, /\bgit (?:-\S{1,40} ){0,4}commit\b/],
  [/\bpush/i, /\bgit (?:-\S{1,40} ){0,4}push\b/],
  [/\b(?:pull request|open (?:a|the) pr|\bpr\b)/i, /\bgh pr create\b|\bglab mr create\b/],
  // bounded: every match looks at 180 characters at most
  [/\bmerge/i, /\bgit (?:-\S{1,40} ){0,4}merge\b|\bgh pr merge\b/],
  [/\b(?:publish|release)/i, /\b(?:publish|release)\b/],
  [/\bdeploy/i, /\bdeploy\b/],
  [/\b(?:install)/i, /\binstall\b/],
]
/** How much of a step a later report has to repeat to have reported it. */
const REPORTED = 0.6
const MOST_EDIT = 8000
/** A step that speaks of more is a document. */
const MOST_OBJECTS = 24
const PLAN =
  /\b(?:will|going to|could|would|should|shall|next|let me|if you|want me|todo|remaining|still (?:need|to)|not yet|pending)\b|[?？:：]$/i

/** The names that a step speaks of. */
export function objectsOf(text: string): string[] {
  const names = Array.from(text.matchAll(OBJECT), ([, code, path]) => (code ?? path ?? '').replace(/[./]{1,3}$/, ''))
  return [...new Set(names.filter((name) => name.length > 2))].slice(0, MOST_OBJECTS)
}

/** Tells of a step, and the place it was planned at, whether what followed did it (docs/spec/truth.md §3). */
export function doneTest(timeline: Timeline): (step: string, after: number) => boolean {
  // Most regions have no step to ask for.
  let known: { readonly acts: readonly Done[]; readonly reports: readonly Report[] } | undefined
  return (step, after) => {
    known ??= { acts: doneActs(timeline), reports: reportsOf(timeline) }
    const objects = objectsOf(step)
    const later = known.acts.filter(({ at }) => at > after)
    if (objects.length > 0 && objects.every((object) => later.some((act) => touches(act, object)))) return true
    if (VERBS.some(([verb, command]) => verb.test(step) && later.some((act) => command.test(act.command)))) return true
    const words = contentWords(step)
    // A command that is reported by its name was run, whatever else the step says.
    const needed = objects.length > 0 && objects.every((object) => object.includes(' ')) ? REPORTED / 2 : REPORTED
    return known.reports.some(
      ({ at, sentence, words: told }) =>
        at > after && shareOf(words, told) >= needed && objects.every((object) => sentence.includes(lastName(object))),
    )
  }
}

interface Report {
  readonly at: number
  readonly sentence: string
  readonly words: ReadonlySet<string>
}

const doneActs = ({ acts }: Timeline): Done[] =>
  acts.filter(isDone).map((act) => ({
    at: act.at,
    paths: modifiedPaths(act.call),
    command: act.call.command,
    edit: act.call.tool === 'edit' ? editText(act.call.arguments) : '',
  }))

/** Sentences of the assistant that tell what is, and not what will be. */
const reportsOf = ({ sayings }: Timeline): Report[] =>
  sayings.flatMap(({ at, said }) =>
    said
      .filter(({ sentence, folded }) => !PLAN.test(sentence) && !CUES.intent.test(folded) && !CUES.next.test(folded))
      .map(({ sentence }) => ({ at, sentence, words: contentWords(sentence) })),
  )

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What an edit takes out and puts in, where a step may have named it. */
function editText(args: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const value of Object.values(args))
    if (typeof value === 'string' && text.length < MOST_EDIT) text += `\n${value.slice(0, MOST_EDIT)}`
  return text
}

interface Done {
  readonly at: number
  readonly paths: readonly string[]
  readonly command: string
  readonly edit: string
}

function touches({ paths, command, edit }: Done, object: string): boolean {
  if (edit !== '' && object.length > 4 && edit.includes(object.replace(/\(\)$/, ''))) return true
  if (command !== '' && command.includes(object)) return true
  return paths.some(
    (path) =>
      path === object || path.endsWith(`/${object}`) || object.endsWith(`/${path}`) || path.includes(`${object}/`),
  )
}
