import type { ParsedCall } from './parse-calls.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'code', 'input'] as const
const MOST = 2000

/** The command line of a shell call; of a list (`["bash", "-lc", "npm test"]`) its script or all of its words. */
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
  /^(?:(?:&&|;)\s*|cd\s+[^&;|\n]{1,300}(?:&&|;|\n)\s*|(?:export\s+)?[A-Z_][A-Z0-9_]{0,60}=[^\s;&|]{0,200}(?:\s+|;\s*|&&\s*)|(?:sudo|time|env|nohup|set -\w+(?: pipefail)?;?|timeout\s+\S{1,12})\s+|source\s+[^&;|\n]{1,200}(?:&&|;|\n)\s*|#[^\n]*\n\s*)/
const TAIL =
  /\s*(?:\d?>(?:&\d|\s?\/dev\/null)|&>\s?\/dev\/null|\|\s*(?:head|tail|less|cat|grep|egrep|rg|tee|sort|uniq|wc|sed|awk|cut|tr)\b[^|;&\n]{0,300}|(?:;|&&|\|\|)\s*(?:echo\b[^;&|\n]{0,200}|true|:)|&)\s*$/
const SPACES = /\s+/g
const MOST_STRIPPED = 12

/** The command without `cd x &&`, assignments, pipes to `head` and the like, so that two runs of the same thing are equal. */
export function normalizedCommand(command: string): string {
  let text = command.slice(0, MOST).trim()
  for (let i = 0; i < MOST_STRIPPED; i += 1) {
    const shorter = text.replace(LEADING, '').replace(TAIL, '').trim()
    if (shorter === text || shorter === '') break
    text = shorter
  }
  return text.replace(SPACES, ' ')
}

const SEPARATOR = /&&|\|\||;|\n/y
const SCAFFOLDING = /^(?:cd|export|set|source|true|echo|do|done|fi|then|else)\b/

/** The commands of a chain, normalised. Separators inside quotes separate nothing; a quote that never ends takes the rest. */
export function chainOf(command: string): string[] {
  const text = command.slice(0, MOST)
  const parts: string[] = []
  let from = 0
  let quote = ''
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i)
    if (char === '\\') i += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else {
      SEPARATOR.lastIndex = i
      const separator = SEPARATOR.exec(text)?.[0]
      if (separator === undefined) continue
      parts.push(text.slice(from, i))
      from = i + separator.length
      i = from - 1
    }
  }
  parts.push(text.slice(from))
  return parts.map(normalizedCommand).filter((part) => part !== '' && !SCAFFOLDING.test(part))
}

const RUNNER =
  /^(?:npx|bunx|pnpm exec|pnpm dlx|yarn dlx|uv run|poetry run|python3? -m|deno run|bundle exec|node_modules\/\.bin\/|\.\/node_modules\/\.bin\/)\s*(?:-\S+\s+)*/
const SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?)*(?:run\s+|run-script\s+)?([\w:.-]+)/
const WITH_SUBCOMMAND =
  /^(?:git|cargo|go|docker|docker-compose|kubectl|terraform|make|gradle|\.\/gradlew|mvn|dotnet|helm|just|task|mix|swift|gh|pip3?|brew|apt|apt-get|rails|php|composer|flutter|mise)$/
const PURPOSES: readonly (readonly [string, RegExp])[] = [
  [
    'test',
    /^(?:vitest|jest|mocha|pytest|tox|rspec|phpunit|ava|tap|tests?(?::\S+)?|t|(?:go|cargo|mix|make|dotnet|swift) test|cargo nextest)$/,
  ],
  ['check', /^(?:tsc|tsgo|vue-tsc|typecheck|type-check|check-types|types|mypy|pyright|check(?::\S+)?|cargo check)$/],
  ['lint', /^(?:eslint|biome|prettier|ruff|flake8|lint(?::\S+)?|golangci-lint|clippy|cargo clippy)$/],
  ['build', /^(?:build(?::\S+)?|(?:cargo|go|make|gradle) build|make|mvn package|vite|webpack)$/],
]

/** What sort of run each command of a chain is (`test`, `check`, `git commit`): a later success of the sort means the fault is gone. */
export function commandFamilies(command: string): string[] {
  return [...new Set(chainOf(command).map(family))]
}

function family(part: string): string {
  const script = SCRIPT.exec(part)?.[1]
  if (script !== undefined) return purpose(script)
  const words = part.replace(RUNNER, '').split(' ')
  const head = words[0] ?? ''
  if (WITH_SUBCOMMAND.test(head))
    return purpose(`${head} ${words.find((word, i) => i > 0 && !word.startsWith('-')) ?? ''}`)
  const known = purpose(head)
  // A script run by an interpreter is the script, not the interpreter.
  return /^(?:node|python3?|bash|sh|ruby|deno|bun|tsx|ts-node)$/.test(head) ? words.slice(0, 3).join(' ') : known
}

function purpose(name: string): string {
  return PURPOSES.find(([, pattern]) => pattern.test(name.trim()))?.[0] ?? name.trim()
}
