import { isRecord } from '../is-record.ts'

/** Arguments of a call as an object; what is no JSON object stands under `input`. */
export function parseArguments(args: string): Readonly<Record<string, unknown>> {
  if (args === '') return {}
  try {
    const parsed: unknown = JSON.parse(args)
    return isRecord(parsed) ? parsed : { input: parsed }
  } catch {
    return { input: args }
  }
}
