import { modifiedPaths, readPaths } from '../../conversation/call.ts'
import type { Act, Timeline } from '../timeline.ts'

const MOST = 4
const LONGEST = 120

/** The last calls after the last closing message and the last turn of the user's: where to take the work up again. */
export function lastSteps({ acts, sayings, turns }: Timeline): string[] {
  const until = Math.max(sayings.findLast(({ isClosing }) => isClosing)?.at ?? -1, turns.at(-1)?.at ?? -1)
  return acts
    .filter(({ at }) => at > until)
    .slice(-MOST)
    .map(stepLine)
}

/** One step in a few words: `edited src/a.ts`, "ran `npm test` (exit code 1)". */
function stepLine({ call, result }: Act): string {
  const status = result?.status ?? 'interrupted'
  const code = result?.exitCode ?? null
  const end =
    status === 'ok' || status === 'unknown'
      ? ''
      : code === null || status !== 'failed'
        ? ` (${status})`
        : ` (exit code ${code})`
  const [changed] = modifiedPaths(call)
  if (call.command !== '') return `ran \`${short(call.command.split('\n', 1)[0] ?? '')}\`${end}`
  if (changed !== undefined) return `${call.tool === 'write' ? 'wrote' : 'edited'} ${changed}${end}`
  const [read] = readPaths(call)
  return `${read === undefined ? call.name : `read ${read}`}${end}`
}

const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`)
