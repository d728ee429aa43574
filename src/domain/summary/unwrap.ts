import { stripControlMarks } from './strip-control-marks.ts'
import { stripThinking } from './strip-thinking.ts'
import { unwrapFence } from './unwrap-fence.ts'
import { unwrapTag } from './unwrap-tag.ts'

// Real answers nest two or three deep. The bound keeps a hostile one of a million tags linear.
const MOST_LAYERS = 24
const WRAPPINGS = ['<', '```', '~~~', '◁', '[THINK]', '[/THINK]']

/**
 * The summary inside an answer (docs/spec/compaction.md §7.1): thinking taken out, `<summary>`-like tags and one fence around
 * everything taken off, however nested or unclosed. Fences inside stay. An answer that is all thinking gives ''.
 */
export function unwrapAnswer(answer: string): string {
  let text = answer.replace(/^\uFEFF/, '').trim()
  // Most answers are wrapped in nothing, and have nothing that could be a wrapping.
  if (!WRAPPINGS.some((mark) => text.includes(mark))) return text
  text = stripControlMarks(text).trim()
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const next = unwrapFence(unwrapTag(stripThinking(text))).trim()
    if (next === text) return text
    text = next
  }
  return text
}
