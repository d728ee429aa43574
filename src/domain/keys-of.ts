/** The keys of a table that holds nothing else, in its order. */
export function keysOf<Table extends object>(table: Table): readonly (keyof Table & string)[]
export function keysOf(table: object): readonly string[] {
  return Object.keys(table)
}

/** A table with these keys, each with its value. */
export function tableOf<Key extends string, Value>(
  keys: readonly Key[],
  made: (key: Key, at: number) => Value,
): Readonly<Record<Key, Value>>
export function tableOf(keys: readonly string[], made: (key: string, at: number) => unknown): object {
  return Object.fromEntries(keys.map((key, at) => [key, made(key, at)]))
}
