const HEADING = /^#{1,4} \S/m
/** Who writes this speaks about the user to the model; a user speaks of himself otherwise (docs/spec/reading.md §2). */
const ABOUT_THE_USER =
  /\bthe user (?:has |is |was |does not |doesn't |did not )?(?:indicat|want|ask|request|said|says|prefer|expect|provid|approv|confirm|explicitly|gave|will (?:see|review|approve))/i
const TO_THE_MODEL = /\byou (?:are|must|should|may|can|will|need|have|only|do)\b/i

/**
 * The user's words without a template that an extension or a plan mode hung on them: everything from a heading on that
 * speaks to the model about the user. All of it stays when nothing else is there.
 */
export function withoutTemplate(text: string): string {
  const heading = HEADING.exec(text)
  if (heading === null || heading.index === 0) return text
  const rest = text.slice(heading.index, heading.index + 4000)
  if (!ABOUT_THE_USER.test(rest) || !TO_THE_MODEL.test(rest)) return text
  return text.slice(0, heading.index).trim() || text
}
