import type { Digest } from '../digest.ts'
import { type Item, recent, VALUE } from '../item.ts'
import { changedFiles } from './progress.ts'

const MOST_READ = 40

/** Every file that was changed, one a line, then the newest files that were only read. */
export function fileItems(conversation: Digest): Item[] {
  const changed = [...changedFiles(conversation)].map(([path, steps]) => ({
    text: `${path} (modified)`,
    value: recent(VALUE.modifiedFile, steps.at(-1)?.at ?? 0, conversation.length),
  }))
  return [
    ...changed,
    ...readFiles(conversation)
      .slice(-MOST_READ)
      .map(([path, at]) => ({ text: `${path} (read)`, value: recent(VALUE.readFile, at, conversation.length) })),
  ]
}

/** Files that were read and not changed, by their last reading. */
export function readFiles(conversation: Digest): [string, number][] {
  const changed = changedFiles(conversation)
  const read = new Map<string, number>()
  for (const step of conversation.steps) {
    if (step.outcome.state === 'failed') continue
    for (const path of step.touched.read) {
      if (changed.has(path)) continue
      read.delete(path)
      read.set(path, step.at)
    }
  }
  return [...read]
}
