import { chainOf } from './commands.ts'

const LOOKING =
  /^(?:grep|egrep|fgrep|rg|ag|ack|find|fd|ls|cat|head|tail|less|sed -n|awk|jq|wc|which|whereis|type|command -v|file|stat|tree|pwd|printf|diff|cmp|test|\[|pgrep|ps|kill|pkill|env|du|df|git (?:log|show|diff|status|blame|grep|branch|ls-files|rev-parse|remote|config --get|stash list|fetch)|gh (?:pr|issue|run|repo|api|search) ?(?:view|list|diff|checks|status)?|curl|wget|sleep|date|uname|whoami|nl|hexdump|xxd|strings|sqlite3|man|help|for|if|while|xargs|node -[ep]|(?:npx )?tsx -e|python3? -c|python3? -)(?:\s|$)/

/** Whether a command only looks: what its output says about errors is content and no failure of the work. */
export function onlyLooks(command: string): boolean {
  const parts = chainOf(command)
  return parts.every((part) => LOOKING.test(part))
}

/** What stands behind the last `;` or line break; quotes are not looked into, so that `a "x; y"` is one word more. */
function lastOfList(command: string): string {
  return command
    .trimEnd()
    .slice(Math.max(command.trimEnd().lastIndexOf(';'), command.trimEnd().lastIndexOf('\n')) + 1)
    .trim()
}

const SAYS_NO_BY_ONE =
  /^(?:grep|egrep|fgrep|rg|ag|ack|test|\[|diff|cmp|which|pgrep|command -v|type|git diff|git grep|ls|find|fd|kill|pkill)(?:\s|$)/
const PIPED_TO_GREP = /\|\s*(?:e?grep|rg|diff)\b[^|]{0,400}$/

/** Exit code 1 of `grep`, `test`, `diff`, `which` is an answer and no error; interrupts and closed pipes are none either. */
export function isBenignExit(command: string, code: number): boolean {
  if (code === 0 || code === 141 || code === 130 || code === 143) return true
  // Of a list of commands only the last one has the exit code.
  const last = lastOfList(command)
  if (last !== command && onlyLooks(last)) return true
  if (code > 1) return false
  return PIPED_TO_GREP.test(command) || SAYS_NO_BY_ONE.test(chainOf(command).at(-1) ?? '')
}

const CHANGES =
  /^(?:git (?:-C \S+ )?(?:commit|push|merge|rebase|checkout -b|switch -c|tag|revert|cherry-pick|reset|stash(?: push| pop)?|worktree add|mv|rm)|npm (?:install|i|publish|uninstall|version)|(?:pnpm|yarn|bun) (?:add|install|remove|publish)|pip3? install|uv (?:add|sync|pip install)|cargo (?:add|install|publish)|go (?:get|install|mod tidy)|apt(?:-get)? install|brew (?:install|uninstall|tap)|docker (?:run|push|rm|stop|compose)|docker-compose (?:up|down)|kubectl (?:apply|delete|scale|rollout)|helm (?:install|upgrade|uninstall)|terraform (?:apply|destroy)|gh (?:pr|issue|release|repo) (?:create|merge|close|edit|comment|review)|rm|mv|cp|ln|systemctl|alembic|prisma|rails db|createdb|dropdb)\b/
/** Cleaning up what a run left behind changes nothing that anybody has to know. */
const CLEANING =
  /^(?:rm|mv|cp)\s.*(?:\/tmp\/|\bdist\b|\bbuild\b|node_modules|coverage|\.log\b|\.bak\b|\.tmp\b|__pycache__)/
/** Long bodies of pull requests and messages say nothing in one line. */
const BODY = /^(gh .*?|git .*?)\s(?:--body|--notes|-F)\b.*$/

/** The parts of a command that change something outside the conversation, or null. */
export function changingPart(command: string): string | null {
  const parts = chainOf(command).filter((each) => CHANGES.test(each) && !CLEANING.test(each))
  return parts.length === 0
    ? null
    : parts
        .slice(-3)
        .map((part) => part.replace(BODY, '$1'))
        .join(' && ')
}
