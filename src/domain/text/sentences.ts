const ITEM = /^\s*(?:[-*•+–]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s?)/
// bounded: a line of at most 2,000 characters
const BOUNDARY = /(?<![.!?…])[.!?…]+["'”’»)\]*_]{0,3}(?=\s)|[。！？]+["'」』”’）]{0,2}/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|p\. ?ej|ej|z\.b|z\. ?b|d\.h|bzw|ca|nr|p\. ex|т\.е|т\.д|mr|mrs|dr|\p{L}|\d{1,3})\.$/iu
const MOST = 2000

/** A line without its bullet, number, checkbox or quote mark. */
export function withoutBullet(line: string): string {
  return line.replace(ITEM, '').trim()
}

/**
 * Sentences of one line. Points inside code spans, paths, decimals and abbreviations end nothing (`worker.ts`, `15.4`, "e.g."). */
export function sentencesOf(line: string): string[] {
  const text = line.length > MOST ? line.slice(0, MOST) : line
  const sentences: string[] = []
  let from = 0
  let ticks = 0
  let seen = 0
  for (const match of text.matchAll(BOUNDARY)) {
    const end = match.index + match[0].length
    for (; seen < end; seen += 1) if (text.charCodeAt(seen) === 96) ticks += 1
    if (ticks % 2 === 1) continue
    const piece = text.slice(from, end)
    if (ABBREVIATION.test(piece.slice(-12))) continue
    if (piece.trim() !== '') sentences.push(piece.trim())
    from = end
  }
  const last = text.slice(from).trim()
  if (last !== '') sentences.push(last)
  return sentences
}
