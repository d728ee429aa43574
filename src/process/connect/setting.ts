/** How a file was before recapd changed it, and how it was then; `before` is null where there was none. */
export interface Written {
  readonly before: string | null
  readonly after: string
}

/**
 * One change of a settings file as text in, text out. `add` takes null for a file that is not there. `remove` takes out what is
 * ours: what stands there as `written` (or, where nobody remembers, as `add` writes it); a value that was replaced comes back, and
 * null says that nothing would be left. Both throw SettingError when they cannot understand the text: it is not touched then.
 */
export interface Setting {
  readonly add: (text: string | null) => string
  readonly remove: (text: string, written: Written | null) => string | null
}

/** The settings file is not what its program would read. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}
