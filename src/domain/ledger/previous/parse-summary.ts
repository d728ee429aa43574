import { type SectionKind, sectionKind } from './section-kind.ts'

/** One entry of a summary with the kind of the section it stands in; what is nested below it belongs to its text. */
export interface SummaryItem {
  readonly kind: SectionKind
  readonly text: string
}

const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/
/** Codex writes its headings bold, Claude Code numbers them. */
const BOLD_HEADING = /^\*\*([^*\n]{2,80}?):?\*\*:?$/
const NUMBERED_HEADING = /^\d{1,2}\.\s+([A-Z][A-Za-z ,&/-]{2,60}):$/
const ITEM = /^(\s*)(?:[-*•]|\d{1,3}[.)])\s+(\[[ xX]\]\s)?([^\n]*)/
const FENCE = /^\s*(?:```|~~~)/
const NOTHING =
  /^[(["]*(?:none|none\.|n\/a|nothing(?: (?:actively )?in[- ](?:flight|progress))?|no prior history|left out|ninguno|ninguna|keine|aucune?|nenhuma?|nessuno|无|なし|없음|нет)[.)\]"]*$/i
const DECORATION =
  /^(?:-{3,}|\*{3,}|\*\*Turn Context \(split turn\):\*\*|Note: .{0,200}language model.{0,200}|No language model\.|Summary:)$/
/** No summary has more; further lines are text of another thing. */
const MOST_LINES = 4000
const MOST_HEADINGS = 400

/** Takes a summary apart, whoever wrote it: ours, a model's, pi's, Claude Code's, Codex'. Text without a heading is context. */
export function parseSummary(summary: string): SummaryItem[] {
  const entries: SummaryItem[] = []
  let kind: SectionKind = 'critical'
  let indent = 0
  let fenced = false
  let headings = 0
  let isOpen = false
  for (const line of summary.split('\n', MOST_LINES)) {
    const title = fenced || headings >= MOST_HEADINGS ? undefined : titleOf(line)
    if (title !== undefined) {
      kind = sectionKind(title)
      headings += 1
      indent = -1
      isOpen = false
      continue
    }
    const text = line.trim()
    if (FENCE.test(line)) fenced = !fenced
    else if (text === '') {
      isOpen = fenced
      continue
    } else if (!fenced && DECORATION.test(text)) continue
    const item = fenced ? null : ITEM.exec(line)
    const depth = item?.[1]?.length ?? line.length - line.trimStart().length
    if (indent < 0) indent = depth
    const last = entries.at(-1)
    const isNested =
      last !== undefined && isOpen && (fenced || FENCE.test(line) || depth > indent || (item === null && depth > 0))
    if (isNested)
      entries[entries.length - 1] = {
        kind: last.kind,
        text: `${last.text}\n  ${item === null ? text : `- ${(item[3] ?? '').trim()}`}`,
      }
    else if (item !== null) push(entries, entryKind(kind, item[2]), item[3] ?? '')
    else push(entries, kind, text)
    isOpen = true
  }
  return entries
}

const titleOf = (line: string): string | undefined =>
  HEADING.exec(line)?.[1] ?? BOLD_HEADING.exec(line)?.[1] ?? NUMBERED_HEADING.exec(line)?.[1]

/** Under a plain "Progress" heading the checkbox says what an entry is. */
function entryKind(kind: SectionKind, box: string | undefined): SectionKind {
  if (kind !== 'progress') return kind
  return box?.startsWith('[ ]') === true ? 'in-progress' : 'done'
}

function push(entries: SummaryItem[], kind: SectionKind, text: string): void {
  const bare = text.trim()
  if (bare !== '' && !NOTHING.test(bare)) entries.push({ kind, text: bare })
}
