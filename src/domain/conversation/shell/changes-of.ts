import { commandsOf } from './command-family.ts'

const HEREDOC_MESSAGE = /"?\$\(cat <<-?\s?['"]?\w{1,20}['"]?\s/g
/** Long bodies of pull requests and messages say nothing in one line. */
const BODY = /^((?:gh|glab|git) .{0,400}?)\s(?:--body|--body-file|--notes|--notes-file|-F)\b.*/

/** The parts of a line that changed something outside the conversation, each on one line, in order. */
export function changesOf(line: string): string[] {
  return commandsOf(line)
    .filter((command) => command.changes)
    .map((command) => command.text.replace(HEREDOC_MESSAGE, '"').replace(BODY, '$1'))
}
