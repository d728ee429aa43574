import type { PathUse } from '../conversation.ts'
import { cleanPath } from '../tools/clean-path.ts'
import { envelopeFiles } from '../tools/patch-files.ts'
import { commandsOf, type ShellCommand } from './command-family.ts'

/** A patch longer than this inside a command is not looked into. */
const MOST_CHARS = 400_000
const MOST_FILES = 200

/** Files a command line writes, moves or deletes: redirections, `tee`, `sed -i`, `mv`, `cp`, `rm`, patches in a heredoc. */
export function shellFiles(line: string): PathUse[] {
  if (line.length > MOST_CHARS) return []
  const files = line.includes('*** ') ? envelopeFiles(line) : []
  for (const command of commandsOf(line)) {
    if (files.length >= MOST_FILES) break
    files.push(...command.writesTo.flatMap((path) => use(path, 'added')), ...byProgram(command))
  }
  return files.slice(0, MOST_FILES)
}

/** Expansions name no file that anybody could find again; a word without a letter is none. */
const NO_FILE = /[$`*?{}<>|]|^(?:-|&|\d+$)|^\/dev\//
const LETTER = /[\p{L}\p{N}]/u

function use(value: string | undefined, kind: PathUse['use']): PathUse[] {
  const path = value === undefined || NO_FILE.test(value) || !LETTER.test(value) ? null : cleanPath(value)
  return path === null ? [] : [{ path, use: kind }]
}

const plain = (words: readonly string[]): string[] => words.slice(1).filter((word) => !word.startsWith('-'))

function byProgram({ words }: ShellCommand): PathUse[] {
  const program = words[0] ?? ''
  const rest = plain(words)
  switch (program) {
    case 'tee':
    case 'touch':
      return rest.flatMap((path) => use(path, 'added'))
    case 'sed':
    case 'perl':
      return edited(words)
    case 'truncate':
      return rest.slice(-1).flatMap((path) => use(path, 'updated'))
    case 'rm':
    case 'unlink':
      return rest.flatMap((path) => use(path, 'deleted'))
    case 'mv':
      return moved(rest)
    case 'cp':
    case 'install':
      return copied(rest)
    case 'git':
      return byGit(rest)
    case 'patch':
      return rest.slice(0, 1).flatMap((path) => use(path, 'updated'))
    default:
      return []
  }
}

/** `sed -i 's/a/b/' f g`: the script is the first word unless `-e` brings it. */
function edited(words: readonly string[]): PathUse[] {
  if (!words.some((word) => /^(?:-[a-zA-Z]{0,5}i|--in-place)/.test(word))) return []
  const files: string[] = []
  let scripted = false
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (/^-(?:[a-zA-Z]{0,5}e|f|-expression|-file)$/.test(word)) {
      scripted = true
      at += 1
    } else if (/^--(?:expression|file)=/.test(word)) scripted = true
    else if (!word.startsWith('-') && word !== '') files.push(word)
  }
  return (scripted ? files : files.slice(1)).flatMap((path) => use(path, 'updated'))
}

/** Into a directory (`dir/`, `.`) the name stays. */
function target(source: string, to: string): string {
  const name = source.slice(source.lastIndexOf('/') + 1)
  return to.endsWith('/') ? `${to}${name}` : to === '.' || to === '..' ? `${to}/${name}` : to
}

function moved(rest: readonly string[]): PathUse[] {
  const to = rest.at(-1)
  if (to === undefined || rest.length < 2) return []
  const into = rest.length > 2 && !to.endsWith('/') ? `${to}/` : to
  return rest.slice(0, -1).flatMap((source) => {
    const there = use(target(source, into), 'updated')[0]?.path
    return use(source, 'moved').map((file) => ({ ...file, to: there }))
  })
}

function copied(rest: readonly string[]): PathUse[] {
  const to = rest.at(-1)
  if (to === undefined || rest.length < 2) return []
  const into = rest.length > 2 && !to.endsWith('/') ? `${to}/` : to
  return rest.slice(0, -1).flatMap((source) => use(target(source, into), 'added'))
}

function byGit(rest: readonly string[]): PathUse[] {
  if (rest[0] === 'mv') return moved(rest.slice(1))
  return rest[0] === 'rm' ? rest.slice(1).flatMap((path) => use(path, 'deleted')) : []
}
