import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vitest/node'

/** One regular expression of src/. */
export interface SourcePattern {
  readonly source: string
  readonly flags: string
  /** `src/domain/text/quote.ts:12`. */
  readonly at: string
  /** Why its input is short, where a comment beside it says so: `// bounded: one line of at most 4,000 characters`. */
  readonly bound: string | undefined
}

const ROOT = path.resolve(import.meta.dirname, '../..')
const SRC = path.join(ROOT, 'src')

/** Threads end, and main starts, when they are imported. */
const UNIMPORTABLE = /^(?:main|workers\/(?:worker|prompt-worker))\.ts$/

/** How far above a pattern its comment may stand, with no other declaration between them. */
const COMMENT_LINES = 3
const DECLARATION = /^\s*(?:export )?(?:const|function) /
const BOUND = /\/\/ bounded: (.+)$/

/** Every regular expression of src: the literals, and what modules compose when they are loaded. */
export async function sourcePatterns(): Promise<readonly SourcePattern[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => name.split(path.sep).join('/'))
    .sort()
  const found = [
    ...files.flatMap(literalsOf),
    ...(await composedBy(files.filter((name) => name.endsWith('.ts') && !UNIMPORTABLE.test(name)))),
  ]
  const patterns = new Map<string, SourcePattern>()
  for (const pattern of found) {
    const key = `/${pattern.source}/${pattern.flags}`
    if (patterns.get(key)?.bound === undefined) patterns.set(key, pattern)
  }
  return [...patterns.values()]
}

function literalsOf(name: string): SourcePattern[] {
  const text = readFileSync(path.join(SRC, name), 'utf8')
  const patterns: SourcePattern[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, start } = node as { type?: string; regex?: { pattern: string; flags: string }; start?: number }
    if (type === 'Literal' && regex !== undefined) {
      const line = text.slice(0, start).split('\n').length
      patterns.push({ source: regex.pattern, flags: regex.flags, ...placeOf(`src/${name}`, line) })
    } else for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return patterns
}

/** Loads the modules with a constructor that takes note of what it is given. */
async function composedBy(names: readonly string[]): Promise<SourcePattern[]> {
  const Original = RegExp
  const patterns: SourcePattern[] = []
  globalThis.RegExp = new Proxy(Original, {
    construct(target, given, newTarget) {
      const made: RegExp = Reflect.construct(target, given, newTarget)
      const [, file, line] = new Original('(src/[\\w./-]+\\.ts)[^:]*:(\\d+)').exec(frameOf(new Error())) ?? []
      if (file !== undefined) patterns.push({ source: made.source, flags: made.flags, ...placeOf(file, Number(line)) })
      return made
    },
  })
  try {
    for (const name of names) await import(path.join(SRC, name))
  } finally {
    globalThis.RegExp = Original
  }
  return patterns
}

/** The first frame that lies in src. */
const frameOf = ({ stack = '' }: Error): string => stack.split('\n').find((line) => line.includes('/src/')) ?? ''

function placeOf(file: string, line: number): Pick<SourcePattern, 'at' | 'bound'> {
  const lines = readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .slice(Math.max(0, line - 1 - COMMENT_LINES), line)
  const comment = lines.findLastIndex((text) => BOUND.test(text))
  // It speaks of the declaration behind it, not of the next one.
  const isOfAnother = lines.slice(comment + 2).some((text) => DECLARATION.test(text))
  return { at: `${file}:${line}`, bound: isOfAnother ? undefined : BOUND.exec(lines[comment] ?? '')?.[1] }
}
