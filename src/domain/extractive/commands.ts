import type { ParsedCall } from '../transcript/parse-calls.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'code', 'input'] as const

/** The command line of a shell call; arrays (`["bash", "-lc", "npm test"]`) give their last word or all of them. */
export function commandOf(call: ParsedCall): string {
  for (const name of COMMAND_ARGUMENTS) {
    const value = call.args[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (Array.isArray(value) && value.length > 0) {
      const words = value.map(String)
      const script = /^(?:bash|sh|zsh)$/.test(words[0] ?? '') ? words.at(-1) : undefined
      return (script ?? words.join(' ')).trim()
    }
  }
  return ''
}

const LEADING =
  /^(?:cd\s+[^&;|\n]{1,300}(?:&&|;|\n)\s*|(?:export\s+)?[A-Z_][A-Z0-9_]{0,60}=[^\s;&|]{0,200}(?:\s+|;\s*|&&\s*)|(?:sudo|time|env|set -\w+(?:o pipefail)?;?|timeout\s+\S{1,12})\s+|source\s+[^&;|\n]{1,200}(?:&&|;|\n)\s*|#[^\n]*\n\s*)/
const TAIL =
  /\s*(?:\d?>(?:&\d|\s?\/dev\/null)|&>\s?\/dev\/null|\|\s*(?:head|tail|less|cat|grep|egrep|rg|tee|sort|uniq|wc|sed|awk|cut|tr)\b[^|;&\n]{0,300}|;\s*echo\b[^;&|\n]{0,200}|&&\s*echo\b[^;&|\n]{0,200}|\|\|\s*(?:true|:|echo\b[^;&|\n]{0,200}))\s*$/
const SPACES = /\s+/g
const MOST_STRIPPED = 12

/** The command without `cd x &&`, assignments, pipes to `head` and the like, so that two runs of the same thing are equal. */
export function normalisedCommand(command: string): string {
  let text = command.slice(0, 2000).trim()
  for (let i = 0; i < MOST_STRIPPED; i += 1) {
    const shorter = text.replace(LEADING, '').replace(TAIL, '').trim()
    if (shorter === text || shorter === '') break
    text = shorter
  }
  return text.replace(SPACES, ' ')
}

const RUNNER =
  /^(?:npx|bunx|pnpm exec|pnpm dlx|yarn dlx|yarn|uv run|poetry run|python3? -m|node|deno run|bundle exec)\s+(?:-\S+\s+)*/
const WRAPPED_SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+|run-script\s+)?([\w:.-]+)/
const SUBCOMMANDS =
  /^(?:git|cargo|go|docker|docker-compose|kubectl|terraform|make|gradle|\.\/gradlew|mvn|dotnet|helm|just|task|mix|swift|gh|pip3?|brew|apt|apt-get|bundle|rails|php|composer|flutter|nix|brew|systemctl)\b/

/** What sort of run it is (`test`, `tsc`, `cargo build`): a later success of the same sort also means the fault is gone. */
export function commandFamily(command: string): string {
  const plain = normalisedCommand(command)
  const script = WRAPPED_SCRIPT.exec(plain)?.[1]
  if (script !== undefined) return purpose(script)
  const words = plain.replace(RUNNER, '').split(' ')
  const head = words[0] ?? ''
  const family = SUBCOMMANDS.test(head)
    ? `${head} ${words.find((word, i) => i > 0 && !word.startsWith('-')) ?? ''}`
    : head
  return purpose(family)
}

function purpose(name: string): string {
  if (
    /^(?:vitest|jest|mocha|pytest|tox|rspec|phpunit|ava|tap|test(?:s|:\S+)?|t|go test|cargo test|cargo nextest|mix test|make test|dotnet test|swift test)$/.test(
      name.trim(),
    )
  )
    return 'test'
  if (/^(?:tsc|tsgo|vue-tsc|typecheck|type-check|check-types|types|mypy|pyright|check|cargo check)$/.test(name.trim()))
    return 'check'
  if (/^(?:eslint|biome|prettier|ruff|flake8|lint(?::\S+)?|golangci-lint|clippy|cargo clippy)$/.test(name.trim()))
    return 'lint'
  if (
    /^(?:build(?::\S+)?|cargo build|go build|make build|make|gradle build|mvn package|vite|webpack)$/.test(name.trim())
  )
    return 'build'
  return name.trim()
}

const LOOKING =
  /^(?:grep|egrep|fgrep|rg|ag|ack|find|fd|ls|cat|head|tail|less|sed -n|awk|jq|wc|which|whereis|type|command -v|file|stat|tree|pwd|echo|printf|diff|cmp|test|\[|pgrep|ps|env|du|df|git (?:log|show|diff|status|blame|grep|branch|ls-files|rev-parse|remote|config --get|stash list)|gh (?:pr|issue|run|repo|api|search) ?(?:view|list|diff|checks|status)?|curl|wget|sleep|date|uname|whoami|nl|hexdump|xxd|strings|sqlite3|man|help)\b/

/** Whether a command only looks: what its output says about errors is content and no failure of the work. */
export function onlyLooks(command: string): boolean {
  const plain = normalisedCommand(command)
  return plain
    .split(/\s*(?:&&|\|\||;|\||\n)\s*/)
    .every(
      (part) =>
        part === '' || LOOKING.test(part) || /^(?:cd|export|set|true|done|do|for|if|then|fi|while|else)\b/.test(part),
    )
}

const SAYS_NO_BY_ONE =
  /^(?:grep|egrep|fgrep|rg|ag|test|\[|diff|cmp|which|pgrep|command -v|type|git diff|git grep|ls|find|fd)\b/

/** Exit code 1 of `grep`, `test`, `diff`, `which` is an answer and no error (models.md §7). */
export function isBenignExit(command: string, code: number): boolean {
  if (code === 0) return true
  // Interrupts and closed pipes (`| head`) end processes that did nothing wrong.
  if (code === 141 || code === 130) return true
  if (code > 1) return false
  const parts = command.split(/\s*(?:&&|\|\||;|\||\n)\s*/).filter((part) => part !== '')
  return SAYS_NO_BY_ONE.test(parts.at(-1) ?? '') || SAYS_NO_BY_ONE.test(normalisedCommand(command))
}

const CHANGES =
  /(?:^|&&\s*|;\s*|\n\s*)(?:sudo\s+)?((?:git\s+(?:-C\s+\S+\s+)?(?:commit|push|merge|rebase|checkout -b|switch -c|tag|revert|cherry-pick|reset|stash(?: push| pop)?|worktree add|mv|rm)|npm\s+(?:install|i|ci|publish|uninstall|version)|(?:pnpm|yarn|bun)\s+(?:add|install|remove|publish)|pip3?\s+install|uv\s+(?:add|sync|pip install)|cargo\s+(?:add|install|publish)|go\s+(?:get|install|mod tidy)|apt(?:-get)?\s+install|brew\s+(?:install|uninstall|tap)|docker\s+(?:build|run|push|rm|stop|compose)|docker-compose\s+(?:up|down)|kubectl\s+(?:apply|delete|scale|rollout)|terraform\s+(?:apply|destroy)|gh\s+(?:pr|issue|release|repo)\s+(?:create|merge|close|edit|comment|review)|mkdir|rm|mv|cp|ln|chmod|chown|systemctl|sed\s+-i|alembic|prisma|rails\s+db|createdb|dropdb)\b[^\n]{0,300})/

/** The part of a command that changes something outside the conversation, or null. */
export function changingPart(command: string): string | null {
  return CHANGES.exec(command.slice(0, 3000))?.[1]?.trim() ?? null
}
