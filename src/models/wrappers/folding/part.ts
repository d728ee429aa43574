import { spelledText, spelling } from '../../../domain/spelled-json.ts'
import { expectedOfPart } from '../../../domain/summary/judge/expected-answer.ts'
import { type FoldFrame, framedPrompt } from '../../../domain/transcript/fold-frame.ts'
import type { FoldPart } from '../../../domain/transcript/fold-plan.ts'
import type { CompletionRequest } from '../../model.ts'
import { madePrompt, type Prompt, splicedPrompt } from '../../prompt.ts'
import { withoutDeltas } from '../../signals/tracked-listener.ts'

/** What of the prompt is sent in a part. */
export function foldPartText(part: FoldPart, prompt: Prompt): string {
  if (part.text !== undefined) return part.text
  const spelled = spelledPart(part, prompt)
  return spelled === undefined ? prompt.text.slice(part.start, part.end) : spelledText(quoted([spelled]))
}

/** The same between the words around it, as it was spelled where that is known. Nothing of it is kept while a model works on it. */
export function partPrompt(
  part: FoldPart,
  prompt: Prompt,
  { frame, lead }: { frame: FoldFrame; lead: string },
): Prompt {
  const framed = (text: string) => framedPrompt(frame, text, { lead })
  const around = framed('')
  const spelled = spelledPart(part, prompt)
  if (spelled === undefined) {
    const length = around.length + (part.text?.length ?? part.end - part.start)
    return madePrompt(() => framed(foldPartText(part, prompt)), length)
  }
  const { length } = frame.before
  return splicedPrompt([QUOTE, spelling(around.slice(0, length)), spelled, spelling(around.slice(length)), QUOTE])
}

const QUOTE = Buffer.from('"')

const quoted = (pieces: readonly Uint8Array[]): Buffer => Buffer.concat([QUOTE, ...pieces, QUOTE])

const spelledPart = ({ text, spelled }: FoldPart, { json }: Prompt): Uint8Array | undefined =>
  text === undefined && spelled !== undefined ? json?.subarray(spelled.from, spelled.to) : undefined

/** UTF-16 units: to put a part together and to send it takes a millisecond for so many. */
const SHORT_PART = 65_536

/** True where others should have a turn first: of sixty such parts sent at once they would wait for a third of a second. */
export const isLongPart = ({ start, end }: FoldPart): boolean => end - start > SHORT_PART

/** A call whose answer only the next one reads: it is shown a part, and what was cut of it is better than nothing. */
export function partOf(request: CompletionRequest): CompletionRequest {
  const answer = request.answer === undefined ? undefined : expectedOfPart(request.answer)
  return { ...quiet(request), answer, takesCut: true }
}

/** Only the last call speaks to the listener; the others report their attempts. */
function quiet(request: CompletionRequest): CompletionRequest {
  return request.listener === undefined ? request : { ...request, listener: withoutDeltas(request.listener) }
}
