/** A piece again and again, up to so many characters. */
const repeat = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

/** The same in lines of about two thousand characters. */
const inLines = (piece: string, size: number): string => repeat(`${repeat(piece, 1_990)}x\n`, size)

/** One repeated character of each class. */
const CHARACTERS = ['\n', '\r', '\t', ' ', 'a', '0', '.', ',', ':', ';', '!', '?', '-', '_', '/', '\\', '"', "'", '`']
const BRACKETS = ['(', ')', '[', ']', '{', '}', '<', '>']
const OTHERS = ['#', '*', '|', '&', '=', '+', '~', '$', '%', '@', 'é', '中', '😀', '\u200b', '\u202e', '\u0000']
/** Openers that nobody closes: of every tag, quote and fence that somebody reads. */
const OPENERS = [
  '<files>',
  '<summary>\n',
  '<think>\n',
  '<system-reminder>',
  '<conversation>\n',
  '<previous-summary>\n',
  '<read-files>',
  '</',
  '<!--',
  '```\n',
  '~~~\n',
  '"""',
  '{"a":',
  '${',
  '**',
  '-----BEGIN PRIVATE KEY-----\n',
]
/** Pairs, labels, headings, marks of lists, heads of secrets, errors and commands. */
const PIECES = [
  'a:',
  'a=',
  'a b ',
  'a,',
  'ab',
  ' \n',
  '\r\n',
  '-eyJ',
  'sk-',
  'password: swordfish\r',
  'Bearer ',
  '\n## Goal',
  '\n\n[User]: a',
  '\n\n[Tool result]: ',
  '\nHuman: ',
  '- [ ] ',
  '1. ',
  '> ',
  'why? ',
  '/a',
  './a.b ',
  'https://a.b/',
  'Error: ',
  'exit code ',
  'at a (b:1:1)\n',
  'cd a && ',
  'git commit -m ',
  'sed -i ',
  'don’t ',
  'never ',
  'TODO ',
  'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVph',
]

const shown = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Name → size → text (docs/spec/hostile.md §1). */
export const ATTACKS: ReadonlyMap<string, (size: number) => string> = new Map([
  ...[...CHARACTERS, ...BRACKETS, ...OTHERS, ...OPENERS, ...PIECES].map((piece): [string, (size: number) => string] => [
    `${shown(piece)} again and again`,
    (size) => repeat(piece, size),
  ]),
  // Sections that follow make a stray word of what else would be a list that was cut.
  ...[...OPENERS, '\n<files>', '\n<read-files>', '\n\n[User]: a'].map((piece): [string, (size: number) => string] => [
    `${shown(piece)} again and again, and a section behind`,
    (size) => `${repeat(piece, size)}\n\n## Next Steps\n- Go on.`,
  ]),
  ...[' ', '\t', '!', '?', '.', '"', 'a:', '-', '#', '`', '<', '('].map((piece): [string, (size: number) => string] => [
    `long lines of ${shown(piece)}`,
    (size) => inLines(piece, size),
  ]),
])
