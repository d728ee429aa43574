const HEADING = /^#{1,4} \S/m
/** The heading under which a template puts the user's own words. */
const TASK_HEADING =
  /^#{1,4} (?:the )?(?:user(?:'s)? )?(?:task|request|query|question|prompt|message|input|instruction)[ \t]{0,8}:?[ \t]{0,8}\r?$/gim
/** Who writes this speaks about the user to the model; a user speaks of himself otherwise (docs/spec/reading.md §2). */
const ABOUT_THE_USER =
  /\bthe user (?:has |is |was |does not |doesn't |did not )?(?:indicat|want|ask|request|said|says|prefer|expect|provid|approv|confirm|explicitly|gave|will (?:see|review|approve))/i
const TO_THE_MODEL = /\byou (?:are|must|should|may|can|will|need|have|only|do)\b/i
const LOOKED_AT = 4000

/**
 * The user's words without a template that an extension or a plan mode put around them: what stands under the task heading of
 * a document for the model, or what stands before a heading from which on the model is spoken to about the user.
 */
export function withoutTemplate(text: string): string {
  const heading = HEADING.exec(text)
  if (heading === null) return text
  const rest = text.slice(heading.index, heading.index + LOOKED_AT)
  if (!TO_THE_MODEL.test(rest)) return text
  if (heading.index > 0) return ABOUT_THE_USER.test(rest) ? text.slice(0, heading.index).trim() || text : text
  const task = [...text.matchAll(TASK_HEADING)].at(-1)
  return task === undefined ? text : text.slice(task.index + task[0].length).trim() || text
}
