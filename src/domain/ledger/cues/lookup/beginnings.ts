/** A pattern with more beginnings than this is told by shorter ones. */
const MOST = 300

/** What a pattern may begin with; `isOpen`: what follows may still be read. */
interface Beginning {
  readonly text: string
  readonly isOpen: boolean
}

const START: readonly Beginning[] = [{ text: '', isOpen: true }]
const UNKNOWN: readonly Beginning[] = [{ text: '', isOpen: false }]

/**
 * How a text that a pattern matches can begin, in small letters: at most so many characters each; null where nothing is known.
 * Reads literals, groups, plain classes and quantifiers; looks around are passed over, and anything else ends a beginning early,
 * so what is told is never too little.
 */
export function beginningsOf(source: string, longest: number): readonly string[] | null {
  const { made, at } = new Reader(source, longest).alternatives(0)
  if (at < source.length || made.length > MOST || made.some(({ text }) => text === '')) return null
  return [...new Set(made.map(({ text }) => text.toLowerCase()))]
}

/** The pattern after its first character, class or group; '' after the last. */
export function behindFirst(source: string): string {
  const reader = new Reader(source, 1)
  return source.slice(reader.endOfRepeated(0))
}

/** The alternatives of a pattern, or of the one group that it is. */
export function branchesOf(source: string): readonly string[] {
  const reader = new Reader(source, 1)
  const isGroup = source.startsWith('(?:') && reader.endOfGroup(0) === source.length
  const inner = isGroup ? source.slice(3, -1) : source
  const found: string[] = []
  const within = new Reader(inner, 1)
  let from = 0
  for (let at = 0; at < inner.length; at = within.endOfAtom(at)) {
    if (inner[at] !== '|') continue
    found.push(inner.slice(from, at))
    from = at + 1
  }
  found.push(inner.slice(from))
  return isGroup ? found.flatMap(branchesOf) : found
}

interface Made {
  readonly made: readonly Beginning[]
  readonly at: number
}

class Reader {
  readonly #source: string
  readonly #longest: number

  constructor(source: string, longest: number) {
    this.#source = source
    this.#longest = longest
  }

  /** Sequences up to the end of the group or the pattern. */
  alternatives(from: number): Made {
    const all: Beginning[] = []
    let at = from
    for (;;) {
      const { made, at: end } = this.#sequence(at)
      all.push(...made)
      at = end
      if (this.#source[at] !== '|') return { made: distinct(all), at }
      at += 1
    }
  }

  #sequence(from: number): Made {
    let made = START
    let at = from
    while (at < this.#source.length && this.#source[at] !== '|' && this.#source[at] !== ')') {
      const end = this.endOfAtom(at)
      // Nothing that follows can be told any more.
      if (made.every((each) => this.#isTold(each))) {
        at = end
        continue
      }
      const atom = this.#atom(at, end)
      const { isOptional, repeats, at: next } = this.#quantifier(end)
      const once = this.#followedBy(made, repeats ? atom.map(({ text }) => ({ text, isOpen: false })) : atom)
      made = isOptional ? distinct([...once, ...made]) : once
      at = next
    }
    return { made, at }
  }

  #atom(at: number, end: number): readonly Beginning[] {
    const text = this.#source.slice(at, end)
    if (/^\(\?<?[=!]/.test(text) || text === '^' || text === '$' || text === '\\b') return START
    if (text.startsWith('(?:')) return this.alternatives(at + 3).made
    const known = /^\[([^\\^\]]+)\]$/.exec(text)?.[1]
    if (known !== undefined) return Array.from(spelledOut(known), (each) => ({ text: each, isOpen: true }))
    const literal = /^\\[^\p{L}\p{N}]$/u.test(text) ? text.slice(1) : text
    return literal.length === 1 && text !== '.' ? [{ text: literal, isOpen: true }] : UNKNOWN
  }

  #quantifier(at: number): { readonly isOptional: boolean; readonly repeats: boolean; readonly at: number } {
    const found = /^(?:[?*+]|\{(\d+)(,\d*)?\})\??/.exec(this.#source.slice(at, at + 12))
    if (found === null) return { isOptional: false, repeats: false, at }
    const [text, least] = found
    return { isOptional: /^[?*]/.test(text) || least === '0', repeats: !text.startsWith('?'), at: at + text.length }
  }

  #isTold({ text, isOpen }: Beginning): boolean {
    return !isOpen || text.length >= this.#longest
  }

  #followedBy(made: readonly Beginning[], next: readonly Beginning[]): readonly Beginning[] {
    return distinct(
      made.flatMap((each) =>
        this.#isTold(each)
          ? [each]
          : next.map(({ text, isOpen }) => ({ text: (each.text + text).slice(0, this.#longest), isOpen })),
      ),
    )
  }

  /** Behind what stands at `at` and how often it may. */
  endOfRepeated(at: number): number {
    return this.#quantifier(this.endOfAtom(at)).at
  }

  /** Behind the character, escape, class or group at `at`. */
  endOfAtom(at: number): number {
    const char = this.#source[at]
    if (char === '(') return this.endOfGroup(at)
    if (char === '[') return this.#endOfClass(at)
    if (char !== '\\') return at + 1
    const property = /^\\p\{[^}]*\}/i.exec(this.#source.slice(at, at + 60))
    return at + (property?.[0].length ?? 2)
  }

  endOfGroup(from: number): number {
    let at = from + 1
    while (at < this.#source.length && this.#source[at] !== ')') at = this.endOfAtom(at)
    return at + 1
  }

  #endOfClass(from: number): number {
    let at = from + 1
    while (at < this.#source.length && this.#source[at] !== ']') at += this.#source[at] === '\\' ? 2 : 1
    return at + 1
  }
}

/** `a-d1` as `abcd1`. */
const spelledOut = (chars: string): string =>
  chars.replace(/(.)-(.)/gu, (_, from: string, to: string) => {
    const first = from.charCodeAt(0)
    return String.fromCharCode(...Array.from({ length: to.charCodeAt(0) - first + 1 }, (_, at) => first + at))
  })

function distinct(all: readonly Beginning[]): readonly Beginning[] {
  return [...new Map(all.map((each) => [`${each.text}\n${each.isOpen}`, each])).values()]
}
