import {
  CHANGES,
  CLEANING,
  LOOKING,
  LOOKING_TEXT,
  PURPOSES,
  RUNNERS,
  SCAFFOLDING,
  VALUE_OPTIONS,
  WITH_SUBCOMMAND,
  WRAPPERS,
} from './command-table.ts'
import { readCommand, type SimpleCommand } from './read-command.ts'

/** One command of a line, looked up in the table. Directory changes, assignments, `sudo`, `timeout` and runners are taken off. */
export interface ShellCommand {
  /** Bare words; the first one is the program without its directory. */
  readonly words: readonly string[]
  /** Bare, on one line: the same work gives the same text. */
  readonly text: string
  /** `vitest`, `git push`, `npm run build`. */
  readonly name: string
  /** What the run is for where many names mean one (`test`, `check`, `lint`, `build`), else its name. */
  readonly family: string
  /** Words after the name that are not options: paths, packages, branches. */
  readonly targets: readonly string[]
  /** Directory that `cd` or an option (`-C`, `--prefix`) chose, '' for none. */
  readonly directory: string
  readonly writesTo: readonly string[]
  readonly after: SimpleCommand['after']
  /** Changes directory, sets, prints: holds the line together. */
  readonly isScaffolding: boolean
  readonly looks: boolean
  /** It changes something outside the conversation that somebody has to know of. */
  readonly changes: boolean
}

const remembered = new Map<string, readonly ShellCommand[]>()
const MOST_REMEMBERED = 2000
const LONGEST_REMEMBERED = 4000

/**
 * The commands of a line, in order. Memoised, since agents run the same lines again and again. A call knows its own (`commands`):
 * facts, outcomes and summaries all ask for them, and a long session has more lines than are remembered.
 */
export function commandsOf(line: string): readonly ShellCommand[] {
  const known = remembered.get(line)
  if (known !== undefined) return known
  let directory = ''
  const commands = readCommand(unwrapped(line)).map((simple) => {
    const command = lookUp(simple, directory)
    if (simple.words[0] === 'cd') directory = simple.words[1] ?? ''
    return command
  })
  if (line.length <= LONGEST_REMEMBERED) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(line, commands)
  }
  return commands
}

/** Those that do the work: scaffolding and what only takes the output of another (`| head`) left out. */
export function workingCommands(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  return commands.filter((command) => !command.isScaffolding && !(command.after === '|' && command.looks))
}

const SHELL_WRAPPED = /^(?:\S{0,60}\/)?(?:ba|z|da)?sh\s+-l?i?c\s+(['"])/

/** `bash -lc "npm test"` as one string is its script. */
function unwrapped(line: string): string {
  const text = line.trim()
  const wrapped = SHELL_WRAPPED.exec(text.slice(0, 100))
  if (wrapped === null) return text
  const inside = readCommand(text)
  return inside.length === 1 ? (inside[0]?.words.at(2) ?? text) : text
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/
const OPTION = /^-/

function lookUp(simple: SimpleCommand, directory: string): ShellCommand {
  const words = bareWords(simple.words)
  const name = nameOf(words)
  const text = textOf(simple, words)
  const rest = words.slice(name.split(' ').length)
  const looks = LOOKING.has(name) || LOOKING.has(name.split(' ')[0] ?? '') || LOOKING_TEXT.test(text)
  const changes = CHANGES.some((pattern) => pattern.test(text)) && !CLEANING.test(text)
  return {
    words,
    text,
    name,
    family: familyOf(name, words),
    targets: rest.filter((word, at) => !OPTION.test(word) && !VALUE_OPTIONS.has(rest[at - 1] ?? '')),
    directory: chosenDirectory(words) ?? directory,
    writesTo: simple.writesTo,
    after: simple.after,
    isScaffolding: words.length === 0 || (SCAFFOLDING.has(words[0] ?? '') && simple.writesTo.length === 0),
    looks: looks && !changes && !inPlace(words),
    changes,
  }
}

/** On one line, with the bare program and where its output goes. */
function textOf({ spelled, writesTo }: SimpleCommand, words: readonly string[]): string {
  const rest = words.length === 0 ? [] : [words[0] ?? '', ...spelled.slice(spelled.length - words.length + 1)]
  return [...rest, ...writesTo.map((target) => `> ${target}`)].join(' ').replace(/\s+/g, ' ')
}

function bareWords(words: readonly string[]): readonly string[] {
  let at = 0
  for (;;) {
    const word = words[at] ?? ''
    if (
      ASSIGNMENT.test(word) ||
      (WRAPPERS.has(word) && words[at + 1] !== undefined && !/^-[vV]$/.test(words[at + 1] ?? ''))
    )
      at += 1
    else if (at > 0 && WRAPPERS.has(words[at - 1] ?? '') && OPTION.test(word)) at += 1
    else if (word === 'timeout') {
      at += 1
      while (OPTION.test(words[at] ?? '')) at += 1
      at += 1
    } else if (RUNNERS.has(word) || RUNNERS.has(`${word} ${words[at + 1] ?? ''}`)) {
      at += RUNNERS.has(word) ? 1 : 2
      while (OPTION.test(words[at] ?? '')) at += 1
    } else break
  }
  const bare = words.slice(at)
  return bare.length === 0 ? [] : [programOf(bare[0] ?? ''), ...bare.slice(1)]
}

/** Without its directory: `./node_modules/.bin/vitest` is vitest, `./deploy.sh` stays a script of this place. */
function programOf(word: string): string {
  const at = word.lastIndexOf('/')
  return at < 0 ||
    (word.startsWith('./') && !word.includes('/bin/') && !word.includes('/.bin/') && !word.endsWith('gradlew'))
    ? word
    : word.slice(at + 1)
}

const RUNS_SCRIPTS = /^(?:npm|pnpm|yarn|bun)$/
const INTERPRETER = /^(?:node|python3?|bash|sh|zsh|ruby|deno|bun|tsx|ts-node|perl|php)$/

function nameOf(words: readonly string[]): string {
  const program = words[0] ?? ''
  if (program === 'command' && words[1] === '-v') return 'command'
  if (!WITH_SUBCOMMAND.has(program)) return program
  let at = 1
  while (OPTION.test(words[at] ?? '')) at += VALUE_OPTIONS.has(words[at] ?? '') ? 2 : 1
  const sub = words[at] ?? ''
  if (/^(?:run|run-script)$/.test(sub) && RUNS_SCRIPTS.test(program))
    return `${program} run ${words[at + 1] ?? ''}`.trim()
  if (/^(?:gh|glab|aws|gcloud|az|fly|compose)$/.test(program) || sub === 'compose' || sub === 'stash')
    return `${program} ${sub} ${OPTION.test(words[at + 1] ?? '-') ? '' : words[at + 1]}`.trim()
  return `${program} ${sub}`.trim()
}

function familyOf(name: string, words: readonly string[]): string {
  const [program = '', ...rest] = name.split(' ')
  const script = RUNS_SCRIPTS.test(program) ? (rest[0] === 'run' ? rest.slice(1).join(' ') : rest.join(' ')) : ''
  const purpose =
    purposeOf(script) ?? purposeOf(name) ?? purposeOf(program === 'node' ? words.slice(0, 2).join(' ') : program)
  if (purpose !== undefined) return purpose
  // A script run by an interpreter is the script, not the interpreter.
  return INTERPRETER.test(program) && rest.length === 0 ? words.slice(0, 3).join(' ') : name
}

function purposeOf(name: string): string | undefined {
  return name === '' ? undefined : PURPOSES.find(([, pattern]) => pattern.test(name))?.[0]
}

function chosenDirectory(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(?:-C|--prefix|--dir|--cwd|--filter|--workspace|-w|-p|--package)$/.test(word))
  return at < 0 ? undefined : words[at + 1]
}

const inPlace = (words: readonly string[]): boolean =>
  words[0] === 'sed' && words.some((word) => /^(?:-[a-z]*i|--in-place)/.test(word))

/** Whether a line only looks: what it prints about errors is content and no failure of the work. */
export function onlyLooks(commands: readonly ShellCommand[]): boolean {
  return commands.every((command) => command.looks || command.isScaffolding)
}
