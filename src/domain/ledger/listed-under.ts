import { withoutBullet } from '../text/sentences.ts'
import { fold } from './cues/patterns.ts'

const HEADING = /^#{1,6}\s+/

/** The items of the list that follows a label line such as "Next steps:" or "## Next steps", for a test on folded lines. */
export function listedUnder(lines: readonly string[], isLabel: (folded: string) => boolean, most: number): string[] {
  const items: string[] = []
  let listed = false
  for (const line of lines) {
    const bare = withoutBullet(line)
    if (bare === '') continue
    const isItem = bare !== line.trim()
    if (isLabel(fold(bare.replace(HEADING, '')))) listed = true
    else if (!isItem) listed = false
    else if (listed && items.length < most) items.push(bare)
  }
  return items
}
