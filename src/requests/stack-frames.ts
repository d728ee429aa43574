/**
 * Where an error was thrown, without its message: a message may quote what it choked on, and that may be conversation
 * text.
 */
export function stackFrames(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return ''
  // The stack begins with the message as it was at birth; whatever that looks like, it is cut off as a whole.
  const start = error.stack.indexOf(error.message)
  const frames = start < 0 ? error.stack : error.stack.slice(start + error.message.length)
  return frames
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n')
}

const FRAME = /^\s+at /
