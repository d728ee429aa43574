import { isRecord } from '../is-record.ts'
import { parseJson } from '../parse-json.ts'

/** Arguments of a call as an object; anything but a JSON object stands under `input`. */
export function parseArguments(args: string): Readonly<Record<string, unknown>> {
  if (args === '') return {}
  const parsed = parseJson(args)
  return isRecord(parsed) ? parsed : { input: parsed === undefined ? args : parsed }
}
