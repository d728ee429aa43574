import { normalizedCommand } from '../../conversation/commands.ts'
import { quoteLine } from '../../text/quote.ts'
import type { Digest } from '../digest.ts'
import { distinct, type Item, recent, VALUE } from '../item.ts'
import { openFailures } from './blocked.ts'
import { readFiles } from './files.ts'
import { stateItems } from './progress.ts'
import { openQuestionItems } from './questions.ts'

/** How the line begins that names the files read. */
export const FILES_READ = 'Files read: '
const MOST_COMMANDS = 8
const MOST_READ = 20
const MOST_PLACES = 8
const PLACE = /\bhttps?:\/\/[^\s"'`<>)\]}\\]{4,200}|\blocalhost:\d{2,5}\b|\bport (?:number )?\d{2,5}\b/gi
/** Hosts that documentation uses. */
const EXAMPLE = /\b(?:example\.(?:com|org|net)|x\.com|twitter\.com|myapp\.com)\b/
const RUNS =
  /^(?:npm|pnpm|yarn|bun|npx|node|python3?|uv|pytest|cargo|go|make|docker|docker-compose|gradle|\.\/|mvn|dotnet|deno|ruby|rspec|php|just|tsc|vitest|jest|kubectl|terraform)\b/

/** The open question, the last words, commands that work, places that recur, files that were read. */
export function criticalItems(conversation: Digest): Item[] {
  return distinct([
    ...openQuestionItems(conversation),
    ...stateItems(conversation),
    ...commandItems(conversation),
    ...placeItems(conversation),
    ...readItems(conversation),
  ])
}

/** How things are run here: the last run of each command that runs something, with its exit code. */
function commandItems(conversation: Digest): Item[] {
  const last = new Map<string, { text: string; at: number; runs: number }>()
  const failing = new Set(openFailures(conversation))
  for (const step of conversation.steps) {
    if (step.effect !== 'shell' || failing.has(step)) continue
    const plain = normalizedCommand(step.command)
    if (!RUNS.test(plain) || plain.length > 160 || plain.includes('<<')) continue
    const runs = (last.get(plain)?.runs ?? 0) + 1
    const code = step.outcome.exitCode ?? (step.outcome.state === 'ok' ? 0 : null)
    last.delete(plain)
    last.set(plain, {
      text: `\`${plain}\` ${code === 0 ? 'ran without error' : code === null ? 'failed' : `exited with code ${code}`} (last run)`,
      at: step.at,
      runs,
    })
  }
  const runs = [...last.values()].filter((each) => each.runs > 1)
  return runs
    .slice(-MOST_COMMANDS)
    .map(({ text, at }) => ({ text, value: recent(VALUE.command, at, conversation.length) }))
}

/** URLs and ports that occur in what the two said, more than once. */
function placeItems(conversation: Digest): Item[] {
  const counts = new Map<string, number>()
  for (const { text } of [...conversation.asks, ...conversation.statements]) {
    for (const match of text.matchAll(PLACE)) {
      const place = match[0].replace(/[.,;:/]+$/, '')
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
  }
  const recurring = [...counts].filter(([place, count]) => count > 1 && !EXAMPLE.test(place)).map(([place]) => place)
  return recurring.slice(-MOST_PLACES).map((place) => ({ text: quoteLine(place, 220), value: VALUE.fact }))
}

function readItems(conversation: Digest): Item[] {
  const paths = readFiles(conversation)
    .slice(-MOST_READ)
    .map(([path]) => path)
  return paths.length === 0 ? [] : [{ text: `${FILES_READ}${paths.join(', ')}`, value: VALUE.readFile }]
}
