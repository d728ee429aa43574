import { asBuffer } from '../domain/as-buffer.ts'
import type { CallContext } from '../pipelines/pipeline-context.ts'
import type { Answer } from './answer.ts'
import type { Running, WorkCall } from './call.ts'
import { endpointOf } from './endpoints.ts'
import { readBody } from './read-body.ts'
import { stringMember } from './string-member.ts'

/** Bytes → JSON → schema → pipeline → JSON, in whichever thread it is called: a request is parsed once and serialised once. */
export async function execute({ call, read, deps, emit }: Running, signal: AbortSignal): Promise<Answer> {
  const endpoint = endpointOf(call.endpoint)
  const { body, warnings, readFrom, plainPrompt } = read ?? readBody(call, endpoint)
  const context = contextOf(call, endpoint.spelled, { readWarnings: warnings, readFrom, plainPrompt })
  if (call.isTrial === true) {
    endpoint.trial?.({ request: body, context, deps })
    return { json: '' }
  }
  return endpoint.run({ request: body, context, deps, emit }, signal)
}

/** A prompt that goes out as it came need not be encoded again: that saves a third of the cost of a long one. */
function contextOf(
  { context, bytes }: WorkCall,
  spelled: string | undefined,
  read: Pick<CallContext, 'readWarnings' | 'readFrom' | 'plainPrompt'>,
): CallContext {
  const isLooked = read.plainPrompt === undefined && bytes.byteLength >= LONG_BODY_BYTES
  const promptJson = spelled !== undefined && isLooked ? stringMember(asBuffer(bytes), spelled) : undefined
  return { ...context, ...read, promptJson }
}

/** Below this, looking for the string costs as much as it saves. */
const LONG_BODY_BYTES = 1_024
