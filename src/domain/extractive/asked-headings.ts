import { type SectionKind, sectionKind } from '../ledger/previous/section-kind.ts'
import { headingOf } from '../text/headings.ts'

/** How the entries of a section are marked. */
export type ItemStyle = 'bullet' | 'checked' | 'unchecked' | 'numbered'

/** A heading that the instructions ask for, as it has to stand in the answer. */
export interface AskedHeading {
  readonly line: string
  readonly depth: number
  readonly kind: SectionKind
  readonly style: ItemStyle
  /** Deeper headings follow at once, with no template of its own between: its content is theirs. */
  readonly isParent: boolean
}

/** The headings of the instructions, in their order, with the form that their template shows for entries. */
export function askedSections(instructions: string): AskedHeading[] {
  const lines = instructions.split('\n').map((line) => line.trim())
  const found = lines.flatMap((line, at) => {
    const heading = headingOf(line)
    return heading === null ? [] : [{ line: heading.line, at, depth: heading.level, title: heading.title }]
  })
  return found.map(({ line, at, depth, title }, i) => {
    const next = found[i + 1]
    const kind = sectionKind(title)
    const template = lines.slice(at + 1, next?.at)
    return {
      line,
      depth,
      kind,
      style: styleOf(template, kind),
      isParent: next !== undefined && next.depth > depth && template.every((each) => each === ''),
    }
  })
}

/** What a checkpoint holds where nobody says what it should: agents ask for "a summary" and mean all that is needed to go on. */
const USUAL =
  '## Goal\n\n## Constraints & Preferences\n\n## Done\n\n## In Progress\n\n## Blocked\n\n## Key Decisions\n\n## Next Steps\n\n## Critical Context'
const FEW_SENTENCES = /\bsentences?\b|\bSätzen?\b|\bfrases?\b|\bphrases?\b|\bfrasi\b|предложени|句话|文で|문장/i

/** The asked headings; the usual ones where none are asked for and the answer is not to be a few sentences. */
export function wantedHeadings(instructions: string): AskedHeading[] {
  const asked = askedSections(instructions)
  return asked.length > 0 || FEW_SENTENCES.test(instructions) ? asked : askedSections(USUAL)
}

function styleOf(template: readonly string[], kind: SectionKind): ItemStyle {
  const first = template.find((line) => line !== '') ?? ''
  // `- [x]` elsewhere is a placeholder and no checkbox.
  if ((kind === 'done' || kind === 'progress') && /^[-*]\s*\[x\]/i.test(first)) return 'checked'
  if ((kind === 'in-progress' || kind === 'next-steps') && /^[-*]\s*\[ \]/.test(first)) return 'unchecked'
  if (/^\d+[.)]\s/.test(first)) return 'numbered'
  return kind === 'next-steps' && first === '' ? 'numbered' : 'bullet'
}
