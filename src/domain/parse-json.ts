/** The value of a JSON text, undefined for any other text; nesting deeper than the engine reads is not JSON either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
