/**
 * One change of a settings file as text in, text out. `add` takes null for a file that is not there; `remove` also gets the text
 * from before the change, so that a value that was replaced comes back, and gives null where nothing would be left.
 * Both throw SettingError when they cannot understand the text: it is not touched then.
 */
export interface Setting {
  readonly add: (text: string | null) => string
  readonly remove: (text: string, before: string | null) => string | null
}

/** The settings file is not what its program would read. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}
