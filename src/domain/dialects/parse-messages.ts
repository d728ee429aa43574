import * as z from 'zod'
import { type Fault, RecapdError } from '../errors.ts'
import { jsonPointer } from '../json-pointer.ts'
import { anthropicCodec } from './anthropic/read.ts'
import type { ListCodec, ListFormat } from './codec.ts'
import { detectFormat } from './detect-format.ts'
import { openaiCodec } from './openai/codec.ts'
import { responsesCodec } from './responses/read.ts'

export const CODECS: Readonly<Record<ListFormat, ListCodec>> = {
  openai: openaiCodec,
  anthropic: anthropicCodec,
  responses: responsesCodec,
}

/** A list whose messages can be worked on. They are the caller's own objects. */
export interface ParsedList {
  readonly format: ListFormat
  readonly messages: readonly unknown[]
}

const role = z.string().nullish()
// Lenient on purpose (bug-log T10): null content, a missing role and unknown fields do no harm and come back as they came.
const SCHEMAS: Readonly<Record<ListFormat, z.ZodType>> = {
  openai: z.looseObject({ role, tool_calls: z.array(z.unknown()).nullish() }),
  anthropic: z.looseObject({ role, content: z.union([z.string(), z.array(z.unknown())]).nullish() }),
  responses: z.looseObject({ role, type: z.string().nullish(), call_id: z.string().nullish() }),
}

/** Checks a list and finds its format. Throws RecapdError `invalid-request` with a JSON pointer for every fault. */
export function parseMessages(messages: unknown, format?: ListFormat): ParsedList {
  if (!Array.isArray(messages)) throw invalid([{ path: '/messages', message: 'Expected an array of messages' }])
  const list: readonly unknown[] = messages
  const found = format ?? detectFormat(list)
  const faults: Fault[] = []
  list.forEach((message, index) => {
    const result = SCHEMAS[found].safeParse(message)
    if (result.success) return
    for (const issue of result.error.issues) {
      faults.push({ path: jsonPointer(['messages', index, ...issue.path]), message: issue.message })
    }
  })
  if (faults.length > 0) throw invalid(faults)
  return { format: found, messages: list }
}

function invalid(errors: readonly Fault[]): RecapdError {
  return new RecapdError('invalid-request', `The message list has ${errors.length} fault(s): see errors for where.`, {
    errors,
  })
}
