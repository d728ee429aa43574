import { isRecord } from '../is-record.ts'

/**
 * UTF-8 bytes of `JSON.stringify(value)` for a value that came out of JSON, without writing it: arguments of calls are
 * measured far more often than sent. Walks with its own stack, since nesting that the engine cannot write must be measured too.
 */
export function jsonBytes(value: unknown): number {
  const stack: unknown[] = [value]
  let bytes = 0
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next === 'string') bytes += quotedBytes(next)
    else if (Array.isArray(next)) {
      bytes += 2 + Math.max(0, next.length - 1)
      for (const item of next) stack.push(item)
    } else if (isRecord(next)) {
      const keys = Object.keys(next)
      bytes += 2 + Math.max(0, keys.length - 1)
      for (const key of keys) {
        bytes += quotedBytes(key) + 1
        stack.push(next[key])
      }
    } else bytes += String(next ?? null).length
  }
  return bytes
}

/** Bytes of the string as JSON writes it, quotes included; a lone surrogate is written as an escape of six. */
function quotedBytes(text: string): number {
  let bytes = 2 + text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      if (unit === 0x22 || unit === 0x5c) bytes += 1
      else if (unit < 0x20) bytes += (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 1 : 5
    } else if (unit < 0x800) bytes += 1
    else if ((unit & 0xf800) !== 0xd800) bytes += 2
    else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      at += 1
    } else bytes += 5
  }
  return bytes
}
