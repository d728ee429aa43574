import { cleanCharacters } from '../text/clean.ts'
import { neutralizeAnswer } from '../text/structure/neutralize.ts'
import { unwrapAnswer } from './unwrap.ts'

/**
 * A model's answer, or one that was kept, as it may be stored: cleaned like what is read, out of its wrapping, and without
 * anything that would be structure later (docs/spec/hostile.md §3, §5).
 */
export function cleanAnswer(answer: string): string {
  return neutralizeAnswer(unwrapAnswer(cleanCharacters(answer)))
}
