import { cueTest } from '../cues/any-cue.ts'
import type { Act, Saying, Timeline } from '../timeline.ts'

const DISMISSAL = cueTest('dismissal')

/** What failed how, without the numbers that change from run to run. */
export const failureKey = (family: string, line: string): string =>
  `${family}\n${line.slice(0, 200).replace(/\d+/g, '#')}`

/**
 * Tells of a failing act whether the words that followed it set it aside: "the same pre-existing issues, nothing new from my
 * edit". One walk for acts asked about in their order.
 */
export function dismissals({ sayings, acts }: Timeline): (act: Act) => boolean {
  let passed = 0
  let following = 0
  return ({ at }) => {
    while (passed < sayings.length && (sayings[passed]?.at ?? at) <= at) passed += 1
    while (following < acts.length && (acts[following]?.at ?? at) <= at) following += 1
    const words: Saying | undefined = sayings[passed]
    const next = acts[following]?.at ?? Number.POSITIVE_INFINITY
    return words !== undefined && words.at < next && words.said.slice(0, 3).some(({ folded }) => DISMISSAL.has(folded))
  }
}
