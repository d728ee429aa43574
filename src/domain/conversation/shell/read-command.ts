import { endOfHeredoc } from './end-of-heredoc.ts'

/** One command of a command line: its words without quotes, and where its output goes. */
export interface SimpleCommand {
  readonly words: readonly string[]
  /** Targets of `>`, `>>`, `>|`, `&>`; numbers (`2>&1`) are not among them. */
  readonly writesTo: readonly string[]
  /** The words as they were typed, quotes and all. */
  readonly spelled: readonly string[]
  /** What stands before it: '' for the first, else `&&`, `||`, `;`, `|`. */
  readonly after: '' | '&&' | '||' | ';' | '|'
}

/** Longer command lines are read so far; bodies of heredocs do not count. */
const MOST_CHARS = 20_000
const MOST_COMMANDS = 200

/**
 * A command line taken apart: separators inside quotes separate nothing, bodies of heredocs are data, comments are left out.
 * Linear; never throws. A quote that never ends takes the rest.
 */
export function readCommand(line: string): SimpleCommand[] {
  return new Reader(line).read()
}

const SPECIAL = /[\s'"\\;&|<>#$()`]/g

class Reader {
  readonly #line: string
  readonly #commands: SimpleCommand[] = []
  readonly #heredocs: string[] = []
  /** Open brackets, true for those of a subshell. */
  readonly #subshells: boolean[] = []
  #at = 0
  #skipped = 0
  #word: string | null = null
  #words: string[] = []
  #spelled: string[] = []
  #spelling = ''
  #writesTo: string[] = []
  #redirect: 'write' | 'read' | null = null
  #after: SimpleCommand['after'] = ''

  constructor(line: string) {
    this.#line = line
  }

  read(): SimpleCommand[] {
    while (this.#at < this.#line.length && this.#at - this.#skipped < MOST_CHARS) {
      if (this.#commands.length >= MOST_COMMANDS) return this.#commands
      this.#plain()
      if (this.#at >= this.#line.length) break
      this.#special(this.#line.charAt(this.#at))
    }
    this.#endCommand('')
    return this.#commands
  }

  /** Up to the next character that means something. */
  #plain(): void {
    SPECIAL.lastIndex = this.#at
    const next = SPECIAL.exec(this.#line)?.index ?? this.#line.length
    if (next > this.#at) this.#add(this.#line.slice(this.#at, next), next)
  }

  #add(text: string, next: number, spelled = text): void {
    this.#word = (this.#word ?? '') + text
    this.#spelling += spelled
    this.#at = next
  }

  #special(char: string): void {
    const next = this.#line.charAt(this.#at + 1)
    if (char === '\n') this.#newline()
    else if (char === ' ' || char === '\t' || char === '\r') this.#skip(1)
    else if (char === "'" || char === '"') this.#quoted(char)
    else if (char === '\\') this.#escaped(next)
    else if (char === '#' && this.#word === null) this.#comment()
    else if (char === ';') this.#separator(';', next === ';' ? 2 : 1)
    else if (char === '&' && next === '&') this.#separator('&&', 2)
    else if (char === '|' && next === '|') this.#separator('||', 2)
    else if (char === '|') this.#separator('|', next === '&' ? 2 : 1)
    else if (char === '&' && next === '>') this.#into(2)
    else if (char === '&') this.#separator(';', 1)
    else if (char === '<') this.#input(next)
    else if (char === '>') this.#into(1)
    else if (char === '(' || char === ')') this.#bracket(char)
    else this.#add(char, this.#at + 1)
  }

  /** A subshell's bracket parts words; one inside a word (`$(`) is part of it. */
  #bracket(char: string): void {
    const isFree = this.#word === null
    const parts = char === '(' ? this.#subshells.push(isFree) > 0 && isFree : this.#subshells.pop() === true || isFree
    if (parts) this.#skip(1)
    else this.#add(char, this.#at + 1)
  }

  #skip(length: number): void {
    this.#endWord()
    this.#at += length
  }

  #quoted(quote: string): void {
    const from = this.#at + 1
    let end = from
    while (end < this.#line.length && this.#line[end] !== quote)
      end += quote === '"' && this.#line[end] === '\\' ? 2 : 1
    const inside = this.#line.slice(from, end)
    this.#add(
      quote === '"' ? inside.replace(/\\(["\\$`])/g, '$1') : inside,
      Math.min(end + 1, this.#line.length),
      this.#line.slice(from - 1, end + 1),
    )
  }

  #escaped(next: string): void {
    if (next === '\n') this.#skip(2)
    else this.#add(next, this.#at + 2, `\\${next}`)
  }

  #comment(): void {
    const end = this.#line.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#line.length : end
  }

  /** Behind the line of its command a heredoc has its body. */
  #newline(): void {
    this.#separator(';', 1)
    for (const mark of this.#heredocs.splice(0)) {
      const body = this.#at
      const end = endOfHeredoc(this.#line, body, mark)
      this.#at = end
      this.#skipped += end - body
    }
  }

  #input(next: string): void {
    const here = /^<<(?:-|~)?\s?(['"]?)([\w.-]{1,60})\1/.exec(this.#line.slice(this.#at, this.#at + 80))
    if (here !== null && next === '<') {
      this.#endWord()
      this.#heredocs.push(here[2] ?? '')
      this.#at += here[0].length
      return
    }
    this.#skip(next === '<' ? 3 : 1)
    this.#redirect = next === '(' ? null : 'read'
  }

  /** `2>`, `>>`, `>|`, `>&1`: only files are written to. */
  #into(length: number): void {
    const ofErrors = this.#word !== null && /^\d$/.test(this.#word)
    if (ofErrors) {
      this.#word = null
      this.#spelling = ''
    }
    this.#skip(length)
    while (this.#line[this.#at] === '>' || this.#line[this.#at] === '|') this.#at += 1
    if (this.#line[this.#at] === '&') {
      this.#at += 1
      this.#redirect = 'read'
    } else this.#redirect = this.#line[this.#at] === '(' ? null : 'write'
  }

  #endWord(): void {
    const word = this.#word
    if (word === null) return
    if (this.#redirect === 'write' && word !== '/dev/null' && !/^\d$/.test(word)) {
      this.#writesTo.push(word)
    } else if (this.#redirect === null) {
      this.#words.push(word)
      this.#spelled.push(this.#spelling)
    }
    this.#redirect = null
    this.#word = null
    this.#spelling = ''
  }

  #separator(kind: Exclude<SimpleCommand['after'], ''>, length: number): void {
    this.#endWord()
    this.#endCommand(kind)
    this.#at += length
  }

  #endCommand(next: SimpleCommand['after']): void {
    this.#endWord()
    if (this.#words.length > 0 || this.#writesTo.length > 0)
      this.#commands.push({
        words: this.#words,
        writesTo: this.#writesTo,
        spelled: this.#spelled,
        after: this.#commands.length === 0 ? '' : this.#after,
      })
    this.#after = next
    this.#words = []
    this.#spelled = []
    this.#writesTo = []
  }
}
