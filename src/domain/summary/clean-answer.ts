import { cleanCharacters } from '../text/clean.ts'
import { neutralizeAnswer } from '../text/structure/neutralize.ts'
import { unwrapAnswer } from './unwrap.ts'

/** Cleaned like what is read, and out of its wrapping: what is judged. */
export function bareAnswer(answer: string): string {
  return unwrapAnswer(cleanCharacters(answer))
}

/** A bare answer without anything that would be structure where it is stored (docs/spec/hostile.md §3). */
export function defusedAnswer(bare: string): string {
  return neutralizeAnswer(bare)
}

/**
 * A model's answer, or one that was kept, as it may be stored: cleaned like what is read, out of its wrapping, and without
 * anything that would be structure later (docs/spec/hostile.md §3, §5).
 */
export function cleanAnswer(answer: string): string {
  return defusedAnswer(bareAnswer(answer))
}
