/** Headings as agents ask for them after a conversation. */
export const CHECKPOINT = `Summarise.

## Goal
[goal]

## Constraints & Preferences
- [rules]

## Progress
### Done
- [x] [done]
### In Progress
- [ ] [running]
### Blocked
- [obstacles]

## Key Decisions
- [decision]

## Next Steps
1. [next]

## Critical Context
- [facts]`

export type Row = readonly [label: string, text: string]

/** A prompt in the form of docs/spec/sessions.md §10. */
export function promptOf(rows: readonly Row[], { instructions = CHECKPOINT, previous = '' } = {}): string {
  const conversation = rows.map(([label, text]) => `[${label}]: ${text}`).join('\n\n')
  const before = previous === '' ? '' : `<previous-summary>\n${previous}\n</previous-summary>\n\n`
  return `<conversation>\n${conversation}\n</conversation>\n\n${before}${instructions}`
}

/** Markdown headings of a text, in order. */
export function headingsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^#{1,6} \S/.test(line))
}

/** The text under one heading, up to the next. */
export function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const start = lines.indexOf(heading)
  const end = lines.findIndex((line, i) => i > start && /^#{1,6} /.test(line))
  return start < 0
    ? ''
    : lines
        .slice(start + 1, end < 0 ? undefined : end)
        .join('\n')
        .trim()
}

/** A shell call of the assistant and its result. */
export function ran(command: string, result: string, code = 0): Row[] {
  const end = code === 0 ? '' : `\n\nCommand exited with code ${code}`
  return [
    ['Assistant tool calls', `bash(command=${JSON.stringify(command)})`],
    ['Tool result', `${result}${end}`],
  ]
}
