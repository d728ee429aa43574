/** The value of a JSON text, undefined for any other text; deeper nesting than the engine reads is no JSON either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
