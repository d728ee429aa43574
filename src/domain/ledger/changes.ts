import type { ShellCommand } from '../conversation/shell/command-family.ts'
import { isDone } from './files.ts'
import type { Change } from './ledger-value.ts'
import { linksIn, urlsIn } from './links/links.ts'
import type { Act, Timeline } from './timeline.ts'

const MOST = 14
/** What must not be done a second time without looking. */
const ONCE =
  /\b(?:push|publish|release|deploy|migrat\w{0,3}|destroy|delete|drop\w{0,2}|merge|apply|upgrade|downgrade|send)\b|^(?:rm|dropdb|terraform|kubectl delete)\b|\b(?:gh|glab) \w+ (?:create|merge|close|comment|review)\b/
const COMMIT = /^\[([^\s\]]{1,100})(?: \([^)]{1,30}\))? ([0-9a-f]{7,40})\] ?(.{0,200})$/m
/** Long bodies of pull requests and messages say nothing in one line. */
const BODY = /\s(?:--body(?:-file)?|--notes(?:-file)?|-F|-m|-am|--message|--data(?:-\w+)?|-d|--title|-t)(?:[ =]).*$/s
const CREATES =
  /(?:create|add|new|send|post|publish|schedul|deploy|upload|insert|register|start|open|book|update|cron|save|store|remember)/i
const NO_CHANGE =
  /^(?:todo|update_?plan|plan|think|task_?(?:list|update|create|get)|exit_?plan|read|get|list|search|find|fetch)/i
const ACTION_ARGUMENTS = ['action', 'operation', 'command', 'method'] as const
const LOOKS = /^(?:list|get|show|view|read|status|search|find|query|describe|check)/i
const NAME_ARGUMENTS = ['name', 'title', 'subject', 'id', 'path', 'url', 'to'] as const
const CREATED = /"(?:id|\w{1,20}_id|url|html_url|key|number|name)"\s*:\s*"?([^",}\n]{3,200})"?/g
const LONGEST = 160

/** Commands and tool calls that changed something, the last run of each, oldest first; without those that the list of files covers. */
export function changesOf(timeline: Timeline): Change[] {
  const last = new Map<string, Change>()
  for (const act of timeline.acts) {
    if (!isDone(act)) continue
    for (const change of changesBy(act)) {
      const key = `${change.text}\n${change.result}`
      last.delete(key)
      last.set(key, change)
    }
  }
  const all = [...last.values()]
  const once = all.filter(({ isOnce }) => isOnce).slice(-MOST)
  const rest = all.filter(({ isOnce }) => !isOnce).slice(once.length - MOST)
  const kept = new Set(once.length === MOST ? once : [...once, ...rest])
  return all.filter((change) => kept.has(change))
}

function changesBy(act: Act): Change[] {
  const { call, number: turn } = act
  const output = act.result?.text ?? ''
  if (call.tool === 'run') return byCommand(call.commands, output, turn)
  if (call.tool !== 'other' || NO_CHANGE.test(call.name)) return []
  const action = ACTION_ARGUMENTS.map((name) => call.arguments[name]).find((value) => typeof value === 'string')
  const isAction = typeof action === 'string'
  if (isAction ? LOOKS.test(action) : !CREATES.test(call.name)) return []
  const named = NAME_ARGUMENTS.map((name) => call.arguments[name]).find(
    (value) => typeof value === 'string' && value !== '',
  )
  const text = [call.name, isAction ? action : '', typeof named === 'string' ? named : '']
    .filter((word) => word !== '')
    .join(' ')
  return [{ text: text.slice(0, LONGEST), turn, result: createdBy(output), isOnce: ONCE.test(text) }]
}

/** What came back: ids and addresses, or the only line. */
function createdBy(output: string): string {
  const bounded = output.slice(0, 4000)
  const ids = Array.from(bounded.matchAll(CREATED), ([, value = '']) => value.trim()).slice(0, 3)
  if (ids.length > 0) return [...new Set(ids)].join(', ')
  const first = bounded.trim().split('\n', 1)[0] ?? ''
  return first.length <= LONGEST && !/^[[{(]/.test(first) ? first : linksIn(bounded).slice(0, 3).join(', ')
}

function byCommand(all: readonly ShellCommand[], output: string, turn: number): Change[] {
  const commands = all.filter(({ changes }) => changes)
  const links = urlsIn(output.slice(0, 8000))
  return commands.flatMap((command, i): Change[] => {
    if (command.name === 'git commit') return committed(output, turn)
    if (isFileWork(command)) return []
    const isLast = i === commands.length - 1
    const text = shortCommand(command)
    return [{ text, turn, result: isLast ? links.slice(-2).join(', ') : '', isOnce: ONCE.test(text) }]
  })
}

function committed(output: string, turn: number): Change[] {
  const match = COMMIT.exec(output)
  if (match === null) return []
  const [, branch = '', hash = '', subject = ''] = match
  return [{ text: `git commit on ${branch}`, turn, result: `${hash} ${subject}`.trim(), isOnce: false }]
}

/** Moves and deletions of files are listed with the files. */
const isFileWork = ({ words }: ShellCommand): boolean =>
  /^(?:mv|cp|rm|rmdir|chmod|ln|touch|mkdir)$/.test(words[0] ?? '') ||
  (words[0] === 'git' && /^(?:mv|rm)$/.test(words[1] ?? ''))

function shortCommand({ text }: ShellCommand): string {
  const bare = text.replace(BODY, '')
  return bare.length <= LONGEST ? bare : `${bare.slice(0, bare.lastIndexOf(' ', LONGEST))} …`
}
