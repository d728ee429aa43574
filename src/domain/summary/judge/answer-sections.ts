import { closesFence, type FenceLine, fenceOf } from '../../text/fences.ts'
import { headingOf } from '../../text/headings.ts'

/** A part of an answer: its heading (of any level, bold or underlined) and what stands below it. */
export interface AnswerSection {
  readonly title: string
  readonly lines: readonly string[]
}

const BOLD = /^ {0,3}(?:\d{1,2}[.)] )?(?:\*\*|__)([^*_\n]{2,120})(?:\*\*|__):? {0,3}$/
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,}) {0,3}$/
const MARKS = /[`*_#:]|^\d{1,2}[.)] /g

/** What titles are compared by: case, marks and numbers do not count. */
export function titleKey(title: string): string {
  return title.replace(MARKS, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** The sections of an answer in order; what stands before the first heading has the title ''. */
export function answerSections(answer: string): AnswerSection[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }]
  let open: FenceLine | null = null
  for (const line of answer.split('\n')) {
    const fence = fenceOf(line)
    if (open !== null) {
      if (fence !== null && closesFence(fence, open)) open = null
      sections.at(-1)?.lines.push(line)
      continue
    }
    if (fence !== null) open = fence
    const last = sections.at(-1)
    const title = fence === null ? (headingOf(line)?.title ?? BOLD.exec(line)?.[1]) : undefined
    if (title !== undefined) sections.push({ title, lines: [] })
    else if (UNDERLINE.test(line) && (last?.lines.at(-1)?.trim() ?? '') !== '') {
      sections.push({ title: last?.lines.pop()?.trim() ?? '', lines: [] })
    } else last?.lines.push(line)
  }
  return sections
}

const EMPTY =
  /^[-*\s]{0,8}[([]?(?:none|n\/?a|nothing(?: (?:to (?:report|tell|note)|yet|new|so far))?|empty|not applicable|unknown|keine?|nichts|ninguno|ninguna|nada|aucune?|rien|nenhuma?|nessun[oa]?|无|無|没有|なし|없음|нет|yok|لا يوجد|कोई नहीं)?[.)\]]?[.\s]{0,3}$/i

/** A line that tells nothing: blank, `- (none)` and the like. */
export const isEmptyLine = (line: string): boolean => EMPTY.test(line)
