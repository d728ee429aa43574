import { type SectionKind, sectionKind } from './section-kind.ts'

/** Entries of an earlier summary by what their section holds, in order, bullets taken off. */
export type PreviousSummary = ReadonlyMap<SectionKind, readonly string[]>

const HEADING = /^\s{0,3}#{1,6}\s+(\S.*)$/
const FENCE = /^\s{0,8}(?:```|~~~)/
const ENTRY = /^\s?(?:[-*•+]\s+|\d{1,3}[.)]\s+)(?:\[([ xX])\]\s+)?(.*)$/
const CONTINUATION = /^(?:\s{2,}|\t)\S/
const NOTHING =
  /^[-*\s]*[([]?(?:none|n\/a|nothing(?: (?:actively )?in[- ](?:flight|progress))?|no prior history|left out|ninguno|ninguna|keine|aucune?|nenhuma?|无|なし|нет)[.)\]]*$/i
const DECORATION = /^(?:-{3,}|\*{3,}|\*\*Turn Context \(split turn\):\*\*|Note: .{0,200}language model.{0,200})$/
const FILE_TAGS = /<(read-files|modified-files|files)>([\s\S]*?)<\/\1>/g

/** No summary has more; further ones are text. */
const MOST_HEADINGS = 400

/** Takes an earlier summary apart by its headings; text without a heading counts as context. */
export function parsePrevious(summary: string): PreviousSummary {
  const sections = new Map<SectionKind, string[]>()
  let kind: SectionKind = 'critical'
  let fenced = false
  let headings = 0
  for (const line of summary.replace(FILE_TAGS, '').split('\n')) {
    const heading = fenced || headings >= MOST_HEADINGS ? null : HEADING.exec(line)
    if (heading !== null) {
      kind = sectionKind(heading[1] ?? '')
      headings += 1
      continue
    }
    const isFence = FENCE.test(line)
    const text = line.trim()
    if (text === '' || (!fenced && (NOTHING.test(text) || DECORATION.test(text)))) continue
    const entries = sections.get(kind) ?? []
    sections.set(kind, entries)
    if ((fenced || isFence || CONTINUATION.test(line)) && entries.length > 0)
      entries.push(`${entries.pop() ?? ''}\n  ${text}`)
    else addEntry(sections, kind, entries, line)
    if (isFence) fenced = !fenced
  }
  for (const match of summary.matchAll(FILE_TAGS))
    addFiles(sections, match[1] === 'modified-files' ? 'modified' : 'read', match[2] ?? '')
  return sections
}

/** Under a plain "Progress" heading the checkbox says what an entry is. */
function addEntry(sections: Map<SectionKind, string[]>, kind: SectionKind, entries: string[], line: string): void {
  const entry = ENTRY.exec(line)
  const text = (entry === null ? line : (entry[2] ?? '')).trim()
  if (text === '' || NOTHING.test(text)) return
  if (kind !== 'progress') {
    entries.push(text)
    return
  }
  const target: SectionKind = entry?.[1] === ' ' ? 'in-progress' : 'done'
  const list = sections.get(target) ?? []
  list.push(text)
  sections.set(target, list)
}

function addFiles(sections: Map<SectionKind, string[]>, what: string, text: string): void {
  // omp 13 joined the paths by a literal backslash-n and kept line ranges (omp-spec §9).
  const paths = text
    .split(/\n|\\n/)
    .map((path) => path.trim().replace(/:(?:raw|\d+(?:-\d*)?)$/, ''))
    .filter((path) => path !== '' && !/more files omitted/.test(path) && path.length <= 400)
  if (paths.length > 0)
    sections.set('files', [...(sections.get('files') ?? []), ...paths.map((path) => `${path} (${what})`)])
}
