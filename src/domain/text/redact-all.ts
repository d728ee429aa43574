import { redact } from './redact.ts'

/** NUL cannot occur in cleaned text, and the line ends keep every pattern of the redactor from reaching across. */
const BETWEEN = '\n\u0000\n'

/** Characters redacted in one go: enough to forget the cost of a call, little enough that most hold no secret. */
const BATCH = 16 * 1024

function redactBatch(texts: readonly string[]): readonly string[] {
  const joined = texts.join(BETWEEN)
  const redacted = redact(joined)
  if (redacted === joined) return texts
  const parts = redacted.split(BETWEEN)
  // A key block that misses its end can swallow what follows it: then every text is redacted alone.
  return parts.length === texts.length ? parts : texts.map(redact)
}

/**
 * Cleaned texts redacted, each as if alone. Thousands of short texts are joined before they meet the redactor's dozen
 * patterns, whose cost a call would otherwise outweigh that of the text.
 */
export function redactAll(texts: readonly string[]): readonly string[] {
  const redacted: string[] = []
  let from = 0
  let size = 0
  for (const [index, text] of texts.entries()) {
    size += text.length
    if (size < BATCH && index < texts.length - 1) continue
    for (const part of redactBatch(texts.slice(from, index + 1))) redacted.push(part)
    from = index + 1
    size = 0
  }
  return redacted
}
