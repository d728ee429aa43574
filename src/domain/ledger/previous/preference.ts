const PREFERS =
  /^(?:\*\*)?(?:The )?user (?:strongly )?(?:prefers|insists|requires|dislikes|always wants|never wants|does(?:n't| not) want)\b/i

/** A rule of the user's as others' summaries tell it, among their lessons or elsewhere: "User prefers E2E tests only". */
export const isPreference = (line: string): boolean => PREFERS.test(line)
