import { modifiedPaths } from '../conversation/call.ts'
import { isDone, TEMPORARY } from './files.ts'
import type { WorkState } from './ledger-value.ts'
import type { Act, Timeline } from './timeline.ts'

// bounded: every match looks at 310 characters at most
const COMMIT = /^\[([^\s\]]{1,100})(?: \([^)]{1,30}\))? ([0-9a-f]{7,40})\] ?(.{0,120})$/gm
const ON_BRANCH = /^(?:On branch|Switched to (?:a new )?branch|Already on|\* )\s?'?([^\s']{1,100})'?$/m
// bounded: every match looks at 240 characters at most
const PULL = /https?:\/\/[^\s"'<>]{4,200}\/(?:pull|merge_requests)\/\d{1,9}/
const BACKGROUND = /(?:^|[\s;])(?:nohup\s|setsid\s)|[^&>|]&\s*$/m
const IS_SERVER = /\b(?:run )?(?:dev|serve|start|watch)\b|\buvicorn\b|http\.server|\brunserver\b/
const ENDS = /^(?:kill|pkill|killall)$/
const MOST_RUNNING = 4
const MOST_UNPUSHED = 6

/** Where the work stands at the end: directory, branch, commits, processes, pull request (docs/spec/truth.md §1). */
export function workStateOf(timeline: Timeline, seen: Partial<WorkState>): WorkState {
  const state: Followed = {
    cwd: '',
    branch: '',
    lastCommit: '',
    unpushed: [],
    uncommitted: new Set<string>(),
    usesGit: false,
    running: [],
    pr: '',
  }
  for (const act of timeline.acts) {
    if (isDone(act)) for (const path of modifiedPaths(act.call)) if (!TEMPORARY.test(path)) state.uncommitted.add(path)
    if (act.call.tool === 'run' && act.result !== undefined && act.result.status !== 'denied') follow(state, act)
  }
  const isLastSeen =
    (state.branch === '' && (seen.branch ?? '') !== '') ||
    (state.running.length === 0 && (seen.running ?? []).length > 0)
  return {
    cwd: state.cwd,
    lastCommit: state.lastCommit,
    unpushed: state.unpushed,
    uncommitted: state.usesGit ? state.uncommitted.size : 0,
    branch: state.branch || (seen.branch ?? ''),
    running: state.running.length > 0 ? state.running : (seen.running ?? []),
    pr: state.pr || (seen.pr ?? ''),
    isLastSeen,
  }
}

type Followed = { -readonly [K in 'cwd' | 'branch' | 'lastCommit' | 'pr']: string } & {
  unpushed: string[]
  running: string[]
  uncommitted: Set<string>
  usesGit: boolean
}

function follow(state: Followed, { call, result }: Act): void {
  const output = (result?.text ?? '').slice(0, 6000)
  const isOk = result?.status === 'ok'
  // A chain commits before it pushes.
  if (isOk) commits(state, output)
  for (const command of call.commands) {
    const [program = '', first = ''] = command.words
    if (program === 'cd' && first.startsWith('/')) state.cwd = first
    if (ENDS.test(program)) state.running = []
    if (!isOk) continue
    if (program === 'pwd' && /^\/\S{1,300}$/.test(output.trim())) state.cwd = output.trim()
    if (program !== 'git') continue
    state.usesGit = true
    if (first === 'commit' || first === 'stash') state.uncommitted = new Set()
    if (/^(?:checkout|switch)$/.test(first) && !command.words.includes('--'))
      state.branch = branchNamed(command.words) || state.branch
    if (/^(?:status|branch|checkout|switch)$/.test(first)) state.branch = ON_BRANCH.exec(output)?.[1] ?? state.branch
    if (first === 'push') state.unpushed = []
  }
  const pull = /\bgh pr create\b|\bglab mr create\b/.test(call.command) ? PULL.exec(output)?.[0] : undefined
  if (pull !== undefined) state.pr = pull
  if (call.arguments['run_in_background'] === true || (BACKGROUND.test(call.command) && IS_SERVER.test(call.command)))
    state.running = [...state.running, firstLine(call.command)].slice(-MOST_RUNNING)
}

/** A branch that was made or gone to by name; a path to check out is none. */
function branchNamed(words: readonly string[]): string {
  const creates = words.findIndex((word) => /^-[bBcC]$/.test(word))
  return creates > 0 ? (words[creates + 1] ?? '') : ''
}

function commits(state: Followed, output: string): void {
  for (const [, branch = '', hash = '', subject = ''] of output.matchAll(COMMIT)) {
    if (branch !== 'detached') state.branch = branch
    state.lastCommit = `${hash} ${subject}`.trim()
    state.unpushed = [...state.unpushed, hash].slice(-MOST_UNPUSHED)
  }
}

function firstLine(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? ''
  return line.length > 120 ? `${line.slice(0, 117)}…` : line
}
