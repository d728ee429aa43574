const FILE_TAGS = /<(read-files|modified-files|files)>[\s\S]*?<\/\1>\n?/g
/** The heading of the record of calls and the lines of its two kinds. */
const RECORD = /^## Tool Calls On Record\n(?:(?:- |Paths: )[^\n]*(?:\n|$))*/gm
const NOTE = /^(?:Note: [^\n]{0,200}language model[^\n]{0,200}|No language model\.)$/gim
/** How Claude Code hands its summaries over. */
const GO_ON =
  /^(?:Please continue the conversation from where we left|If you need specific details from before compaction|This session is being continued from a previous conversation)[^\n]*$/gm
const NOT_SEEN = /^Not seen in the history: [^\n]*$/gm

/**
 * A summary without the blocks that code hung on it: file tags, the record of calls, notes about its making. They are made
 * anew in every generation and are no knowledge (docs/spec/truth.md §5).
 */
export function withoutMechanical(summary: string): string {
  return [FILE_TAGS, RECORD, NOTE, GO_ON, NOT_SEEN].reduce((text, block) => text.replace(block, ''), summary).trim()
}

/** Paths of a tag that hung on a summary. omp 13 joined them by a literal backslash-n and kept line ranges. */
export function taggedFiles(summary: string, tag: 'modified-files'): string[] {
  return Array.from(summary.matchAll(FILE_TAGS), ([block, name]) => (name === tag ? block : ''))
    .flatMap((block) => block.split(/\n|\\n/))
    .map((line) => line.trim().replace(/:(?:raw|\d+(?:-\d*)?)$/, ''))
    .filter((line) => line !== '' && !line.startsWith('<') && !/^…|more files omitted/.test(line) && line.length <= 400)
}
