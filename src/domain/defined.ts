type Unset<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never }[keyof Fields]

type Defined<Fields> = Omit<Fields, Unset<Fields>> & {
  [Name in Unset<Fields>]?: Exclude<Fields[Name], undefined>
}

/**
 * The fields that have a value. Everywhere else `undefined` is written once and passed on, and JSON leaves it out; this is for
 * what is handed over as it is, where a field without a value would be seen: headers, hashes, options of libraries, documents.
 */
export function defined<Fields extends object>(fields: Fields): Defined<Fields>
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
