import { isDeepStrictEqual } from 'node:util'
import { type Setting, SettingError } from './setting.ts'

type Values = Readonly<Record<string, unknown>>
type Tree = Record<string, unknown>

/** Values at paths (`env.ANTHROPIC_BASE_URL`) of a JSON file; its indentation stays. */
export function jsonSetting(values: Values): Setting {
  const rows = Object.entries(values).map(([path, value]) => [path.split('.'), value] as const)
  return {
    add(text) {
      const tree = treeOf(text)
      const missing = rows.filter(([keys, value]) => !isDeepStrictEqual(valueAt(tree, keys), value))
      if (text !== null && missing.length === 0) return text
      for (const [keys, value] of missing) setAt(tree, keys, value)
      return textOf(tree, text)
    },
    remove(text, written) {
      const tree = treeOf(text)
      const old = treeOf(written?.before ?? null)
      const ours = written === null ? null : treeOf(written.after)
      const mine = rows.filter(([keys, value]) => {
        const now = valueAt(tree, keys)
        return now !== undefined && isDeepStrictEqual(now, ours === null ? value : valueAt(ours, keys))
      })
      if (mine.length === 0) return text
      for (const [keys] of mine) setAt(tree, keys, valueAt(old, keys))
      return written?.before === null && Object.keys(tree).length === 0 ? null : textOf(tree, text)
    },
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

function treeOf(text: string | null): Tree {
  if (text === null || text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SettingError('it is not valid JSON; take comments and trailing commas out, or add the setting by hand')
  }
  if (!isTree(value)) throw new SettingError('it does not hold a JSON object')
  return value
}

const textOf = (tree: Tree, like: string | null): string =>
  `${JSON.stringify(tree, null, /^([ \t]+)"/m.exec(like ?? '')?.[1] ?? '  ')}\n`

/** Sets a value; `undefined` removes it, and the objects on its path that are then empty. */
function setAt(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) delete tree[key]
    else tree[key] = value
    return
  }
  const inner = tree[key] ?? {}
  if (!isTree(inner)) throw new SettingError(`its ${JSON.stringify(key)} is not an object`)
  tree[key] = inner
  setAt(inner, rest, value)
  if (value === undefined && Object.keys(inner).length === 0) delete tree[key]
}

function valueAt(tree: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return tree
  return isTree(tree) ? valueAt(tree[key], rest) : undefined
}
