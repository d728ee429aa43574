import type { RegionCall } from './tool-event.ts'
import { toolEffect } from './tool-names.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'code', 'input'] as const
const LEADING =
  /^(?:cd\s+[^;&|]{1,300}(?:&&|;)\s*|(?:export\s+)?[A-Za-z_]\w{0,60}=[^\s;&|]{0,200}\s*(?:&&|;)?\s*|(?:sudo|time|command|env|nohup)\s+|timeout\s+\S{1,20}\s+)/
const TRAILING = /\s*(?:2>&1|2>\s*\/dev\/null|\|\s*(?:head|tail|cat|less|tee)\b[^|;&]{0,80}|\|\|\s*true|&)\s*$/
// Exit code 1 of these says "nothing found" or "they differ" (ops-ecosystem B3 rule 4).
const TESTERS =
  /(?:^|[|;&(]\s*)(?:\S{0,60}\/)?(?:e?grep|fgrep|rg|ag|ack|test|\[|\[\[|diff|cmp|which|type|pgrep|command\s+-v|git\s+(?:-C\s+\S+\s+)?(?:diff|grep))(?:\s|$)/
const CHANGES: readonly RegExp[] = [
  /^git\s+(?:-C\s+\S+\s+)?(?:commit|push|merge|rebase|reset|cherry-pick|revert|tag\s+\S|stash(?!\s+list)|clone|init|checkout\s+-b|switch\s+-c|branch\s+-[dDmM]|worktree\s+(?:add|remove))/,
  /^(?:npm|pnpm|yarn|bun)\s+(?:install|i|ci|add|remove|uninstall|publish|link|version|update|upgrade)\b/,
  /^(?:pip3?|uv|poetry|pipx|conda|cargo|go|gem|bundle|brew|apt|apt-get|apk|dnf|yum|composer)\s+(?:-y\s+)?(?:pip\s+)?(?:install|uninstall|add|remove|publish|get|update|upgrade|sync)\b/,
  /^(?:docker|podman)\s+(?:compose\s+(?:-f\s+\S+\s+)?(?:up|down|build|restart)|build|run|push|rm|rmi|stop|start|restart|tag)\b/,
  /^(?:kubectl|helm|oc)\s+(?:apply|create|delete|scale|patch|rollout|install|upgrade|uninstall|rollback)\b/,
  /^(?:terraform|tofu|pulumi)\s+(?:apply|destroy|import|up)\b/,
  /^(?:systemctl|service|launchctl|pm2)\s+\S{0,60}\s*(?:start|stop|restart|enable|disable|reload|load|unload)\b/,
  /^(?:rm|mv|rmdir|chmod|chown|ln|truncate|dd|dropdb|createdb|kill|pkill|crontab)\s/,
  /^(?:npx\s+)?(?:prisma|alembic|knex|sequelize|flyway|rails|rake|drizzle-kit|typeorm)\s[^\n]{0,100}(?:migrat|upgrade|downgrade|push|reset|seed)/,
  /^(?:python3?\s+)?(?:\.\/)?manage\.py\s+(?:migrate|flush|loaddata)/,
  /^(?:psql|mysql|sqlite3)\s[^\n]{0,400}\b(?:insert|update|delete|alter|drop|create|truncate)\b/i,
  /^curl\s[^\n]{0,400}(?:-X\s*|--request[ =])(?:POST|PUT|PATCH|DELETE)/,
  /^gh\s+(?:pr|issue|release|repo|workflow)\s+(?:create|merge|close|edit|comment|delete|reopen|run)/,
]
// The message of a commit or pull request that comes through a heredoc begins on the next line.
const HEREDOC_MESSAGE = /"?\$\(cat <<-?\s?['"]?\w{1,20}['"]?\n/g
const MOST = 2_000

/** The command a shell call ran, '' for other calls. Lists (`["bash", "-lc", "make"]`) give their last element. */
export function commandOf(call: RegionCall): string {
  if (toolEffect(call.name) !== 'shell') return ''
  for (const name of COMMAND_ARGUMENTS) {
    const value = call.args[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, MOST)
    if (Array.isArray(value) && value.length > 0) return listed(value).slice(0, MOST)
  }
  return ''
}

function listed(words: readonly unknown[]): string {
  const isWrapped = words.length >= 3 && typeof words[1] === 'string' && /^-l?c$/.test(words[1])
  return (isWrapped ? String(words[2]) : words.map(String).join(' ')).trim()
}

/** The command without directory changes, variables, timeouts and output pipes: the same work gives the same text. */
export function normalizeCommand(command: string): string {
  let text = command.slice(0, MOST).replace(/\s+/g, ' ').trim()
  // Each pass takes one word or pipe off; ten are more than real commands have.
  for (let pass = 0; pass < 10; pass += 1) {
    const next = text.replace(LEADING, '').replace(TRAILING, '').trim()
    if (next === text || next === '') break
    text = next
  }
  return text
}

/** True when exit code 1 of the command is an answer and not an error. */
export function isTester(command: string): boolean {
  return TESTERS.test(command)
}

/** The parts of a command that changed something outside the conversation, each on one line. */
export function changesOf(command: string): string[] {
  return command
    .slice(0, MOST)
    .replace(HEREDOC_MESSAGE, '"')
    .split(/\s*(?:&&|\|\||;|\n)\s*/)
    .map((part) => normalizeCommand(part))
    .filter((part) => CHANGES.some((pattern) => pattern.test(part)))
}
