/** A value as JSON, every character beyond ASCII by its number: as Python spells it. */
export const asciiOnly = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
