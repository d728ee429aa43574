const FILE_TAG = /<(read-files|modified-files|files)>/g
/** The heading of the record of calls and the lines of its two kinds. */
const RECORD = /^## Tool Calls On Record\n(?:(?:- |Paths: )[^\n]*(?:\n|$))*/gm
const NOTE = /^(?:Note: [^\n]{0,200}language model[^\n]{0,200}|No language model\.)$/gim
/** How Claude Code hands its summaries over. */
const GO_ON =
  /^(?:Please continue the conversation from where we left|If you need specific details from before compaction|This session is being continued from a previous conversation)[^\n]*$/gm
const NOT_SEEN = /^Not seen in the history: [^\n]*$/gm

/**
 * A summary without the blocks that code hung on it: file tags, the record of calls, notes about its making. They are made
 * again in every generation and are not knowledge (docs/spec/truth.md §5).
 */
export function withoutMechanical(summary: string): string {
  return [RECORD, NOTE, GO_ON, NOT_SEEN]
    .reduce((text, block) => text.replace(block, ''), withoutFileTags(summary))
    .trim()
}

/** Paths of a tag that hung on a summary. omp 13 joined them by a literal backslash-n and kept line ranges. */
export function taggedFiles(summary: string, tag: 'modified-files'): string[] {
  return fileTags(summary)
    .map(({ name, from, to }) => (name === tag ? summary.slice(from, to) : ''))
    .flatMap((block) => block.split(/\n|\\n/))
    .map((line) => line.trim().replace(/:(?:raw|\d+(?:-\d*)?)$/, ''))
    .filter((line) => line !== '' && !line.startsWith('<') && !/^…|more files omitted/.test(line) && line.length <= 400)
}

interface FileTag {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Closed file tags, outermost first come. A name that nobody closes any more is not looked for again: opened often, it costs once. */
function fileTags(text: string): readonly FileTag[] {
  const found: FileTag[] = []
  const unclosed = new Set<string>()
  let end = 0
  for (const { 0: opening, 1: name = '', index: from } of text.matchAll(FILE_TAG)) {
    if (from < end || unclosed.has(name)) continue
    const closing = text.indexOf(`</${name}>`, from + opening.length)
    if (closing < 0) unclosed.add(name)
    else {
      end = closing + name.length + 3
      found.push({ name, from, to: end })
    }
  }
  return found
}

/** The text without them, and without the line's end after each. */
function withoutFileTags(text: string): string {
  const kept: string[] = []
  let at = 0
  for (const { from, to } of fileTags(text)) {
    kept.push(text.slice(at, from))
    at = text[to] === '\n' ? to + 1 : to
  }
  return kept.join('') + text.slice(at)
}
