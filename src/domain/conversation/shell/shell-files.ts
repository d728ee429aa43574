import { once } from '../../once.ts'
import type { Call, PathUse } from '../conversation.ts'
import { cleanPath } from '../tools/clean-path.ts'
import { envelopeFiles, patchFiles } from '../tools/patch-files.ts'
import { commandsOf } from './command-family.ts'

/** A patch longer than this inside a command is not looked into. */
const MOST_CHARS = 400_000
const MOST_FILES = 200

/** Files a command line writes, moves or deletes: redirections, `tee`, `sed -i`, `mv`, `cp`, `rm`, patches in a heredoc. */
export function shellFiles(call: Pick<Call, 'command' | 'commands'>): PathUse[] {
  const { command: line } = call
  if (line.length > MOST_CHARS) return []
  const files = line.includes('*** ') && APPLIES.test(line) ? envelopeFiles(line) : []
  addFiles(files, call, false)
  return files.slice(0, MOST_FILES)
}

function addFiles(
  files: PathUse[],
  { command: line, commands }: Pick<Call, 'command' | 'commands'>,
  isInside: boolean,
): void {
  // Read once, however many commands of the line apply it.
  const patched = once(() => (line.includes('+++ ') ? patchFiles(line) : []))
  for (const command of commands) {
    if (files.length >= MOST_FILES) return
    files.push(...command.writesTo.flatMap((path) => use(path, 'added')), ...byProgram(command.words, patched))
    const script = isInside ? undefined : scriptOf(command.words)
    if (script !== undefined) addFiles(files, { command: script, commands: commandsOf(script) }, true)
  }
}

/** A patch in a heredoc names its files only where something applies it; written to a file it is text. */
const APPLIES = /apply[_-]?patch/i

/** What `sudo bash -c '…'` runs. */
function scriptOf(words: readonly string[]): string | undefined {
  return /^(?:ba|z|da|k)?sh$/.test(words[0] ?? '') && /^-[a-z]{0,2}c$/.test(words[1] ?? '') ? words[2] : undefined
}

/** Expansions name no file that anybody could find again; a word without a letter is none. */
const NO_FILE = /[$`*?{}<>|]|^(?:-$|&|\d+$)|^\/dev\//
const LETTER = /[\p{L}\p{N}]/u

function use(value: string | undefined, kind: PathUse['use']): PathUse[] {
  const path = value === undefined || NO_FILE.test(value) || !LETTER.test(value) ? null : cleanPath(value)
  return path === null ? [] : [{ path, use: kind }]
}

/** Options of such programs that take the word after them. */
const TAKES_WORD: Readonly<Record<string, RegExp>> = {
  install: /^-(?:m|o|g|S|t|-(?:mode|owner|group|suffix|target-directory))$/,
  mv: /^-(?:S|t|-(?:suffix|target-directory))$/,
  cp: /^-(?:S|t|-(?:suffix|target-directory))$/,
  ln: /^-(?:S|t|-(?:suffix|target-directory))$/,
  touch: /^-(?:d|r|t|-(?:date|reference))$/,
  truncate: /^-(?:s|r|-(?:size|reference))$/,
  patch: /^-(?:i|p|d|o|-(?:input|strip|directory))$/,
  shred: /^-(?:n|s|-(?:iterations|size))$/,
}

/** Words that are neither the program nor options; after `--` all of them. */
function operands(words: readonly string[]): string[] {
  const takes = TAKES_WORD[words[0] ?? '']
  const found: string[] = []
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') return [...found, ...words.slice(at + 1)]
    if (!word.startsWith('-')) found.push(word)
    else if (takes?.test(word) === true) at += 1
  }
  return found
}

const all = (paths: readonly string[], kind: PathUse['use']): PathUse[] => paths.flatMap((path) => use(path, kind))

function byProgram(words: readonly string[], patched: () => readonly PathUse[]): readonly PathUse[] {
  switch (words[0]) {
    case 'tee':
    case 'sponge':
    case 'touch':
      return all(operands(words), 'added')
    case 'sed':
    case 'gsed':
    case 'perl':
    case 'yq':
      return edited(words)
    case 'truncate':
      return all(operands(words), 'updated')
    case 'rm':
    case 'unlink':
    case 'rmdir':
    case 'shred':
      return all(operands(words), 'deleted')
    case 'mv':
      return moved(intoDirectory(words))
    case 'cp':
    case 'install':
    case 'ln':
      return copied(intoDirectory(words))
    case 'dd':
      return words.flatMap((word) => (word.startsWith('of=') ? use(word.slice(3), 'added') : []))
    case 'curl':
      return optionValue(words, /^(?:-[a-zA-Z]{0,6}o|--output)$/)
    case 'wget':
      return optionValue(words, /^(?:-[a-zA-Z]{0,6}O|--output-document)$/)
    case 'git':
      return byGit(words, patched)
    case 'patch':
      return patched().length > 0 ? patched() : all(operands(words).slice(0, 1), 'updated')
    default:
      return []
  }
}

const optionValue = (words: readonly string[], option: RegExp): PathUse[] =>
  words.flatMap((word, at) => (option.test(word) ? use(words[at + 1], 'added') : []))

const IN_PLACE = /^(?:-(?![MI])[a-zA-Z0-9]{0,5}i|--in-?place)/
const BRINGS_SCRIPT = /^-(?:[a-zA-Z0-9]{0,5}[eE]|f|-expression|-file)$/

/** `sed -i 's/a/b/' f g`: the script is the first word unless `-e` brings it. */
function edited(words: readonly string[]): PathUse[] {
  if (!words.some((word) => IN_PLACE.test(word))) return []
  const files: string[] = []
  let scripted = false
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (BRINGS_SCRIPT.test(word)) {
      scripted = true
      at += 1
    } else if (/^--(?:expression|file)=/.test(word)) scripted = true
    else if (!word.startsWith('-') && word !== '') files.push(word)
  }
  return all(scripted ? files : files.slice(1), 'updated')
}

/** Into a directory (`dir/`, `.`) the name stays. */
function target(source: string, to: string): string {
  const name = source.slice(source.lastIndexOf('/') + 1)
  return to.endsWith('/') ? `${to}${name}` : to === '.' || to === '..' ? `${to}/${name}` : to
}

const TARGET_DIRECTORY = /^(?:-t|--target-directory(?:=|$))/

/** Sources and, last, where they go: `mv a b dir`, `mv -t dir a b`, `mv -tdir a b`. */
function intoDirectory(words: readonly string[]): string[] {
  const at = words.findIndex((word) => TARGET_DIRECTORY.test(word))
  const directory = words[at]?.replace(TARGET_DIRECTORY, '') || words[at + 1]
  return at < 0 || directory === undefined ? operands(words) : [...operands(words), directory.replace(/\/?$/, '/')]
}

function moved(rest: readonly string[]): PathUse[] {
  return placed(rest).flatMap(([source, there]) =>
    use(source, 'moved').map((file) => ({ ...file, to: use(there, 'updated')[0]?.path })),
  )
}

const copied = (rest: readonly string[]): PathUse[] => placed(rest).flatMap(([, there]) => use(there, 'added'))

/** Each source with its place: several go into a directory. */
function placed(rest: readonly string[]): [source: string, there: string][] {
  const to = rest.at(-1)
  if (to === undefined || rest.length < 2) return []
  const into = rest.length > 2 && !to.endsWith('/') ? `${to}/` : to
  return rest.slice(0, -1).map((source) => [source, target(source, into)])
}

/** Behind `-C dir` and `-c name=value` stands what git does. */
function byGit(words: readonly string[], patched: () => readonly PathUse[]): readonly PathUse[] {
  let at = 1
  while ((words[at] ?? '').startsWith('-')) at += /^-[Cc]$/.test(words[at] ?? '') ? 2 : 1
  const rest = words.slice(at)
  if (rest[0] === 'mv') return moved(operands(rest))
  if (rest[0] === 'rm' && !rest.includes('--cached')) return all(operands(rest), 'deleted')
  return rest[0] === 'apply' || rest[0] === 'am' ? patched() : []
}
