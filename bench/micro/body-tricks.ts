// Bodies: counted, checked, handed on, let go.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { isJson } from '../../src/domain/is-json.ts'
import { parseJson } from '../../src/domain/parse-json.ts'
import { entriesSchema } from '../../src/domain/session/check-entries.ts'
import { rowSchema } from '../../src/domain/session/entry.ts'
import { spelledPlaces, spelledText } from '../../src/domain/spelled-json.ts'
import { parsePrompt } from '../../src/domain/transcript/parse-prompt.ts'
import { plainStringEnd } from '../../src/domain/transcript/plain-spelling.ts'
import { spelledPrompt, textPrompt, withParagraph } from '../../src/models/prompt.ts'
import { promptBody } from '../../src/models/transport/prompt-body.ts'
import { stringMember } from '../../src/requests/string-member.ts'
import { structureScanner } from '../../src/requests/structure.ts'
import { deadBodies } from '../../src/workers/dead-bodies.ts'
import { agentText } from '../agent-text.ts'
import { sessionEntries } from '../pipeline-session.ts'
import type { Trick } from './trick.ts'

const PROMPT_BYTES = 204_800
const LONG_BYTES = 5_000_000
const ENTRIES = 200
const BODIES = 1_000
/** So many come between two turns of the event loop. */
const AT_ONCE = 32

export function bodyTricks(): readonly Trick[] {
  const prompt = agentText(PROMPT_BYTES)
  const body = Buffer.from(JSON.stringify({ systemPrompt: 'Be brief.', prompt }))
  const json = stringMember(body, 'prompt') ?? body
  const spelled = spelledPrompt(json)
  const longText = agentText(LONG_BYTES)
  const long = Buffer.from(JSON.stringify(longText))
  const shell = (text: string) => ({ model: 'm', messages: [{ role: 'user', content: text }] })
  const own = new Uint8Array(LONG_BYTES)
  const shared = new Uint8Array(new SharedArrayBuffer(LONG_BYTES))
  const entries = sessionEntries(ENTRIES)
  const zodEntries = z.array(rowSchema)
  const pass = passage()
  const dead = deadBodies()
  const line = '{"type":"message","text":"cut in the mid'
  return [
    {
      what: 'values of a 200 KB prompt counted: the ends of long strings are searched for',
      where: 'src/requests/structure.ts',
      ours: () => structureScanner('json').read(body),
      plain: () => valuesIn(body),
    },
    {
      what: 'no conversation in a prompt of 200 KB: told from its bytes',
      where: 'src/domain/transcript/plain-spelling.ts',
      ours: () => plainStringEnd(json, 0),
      plain: () => parsePrompt(spelledText(json)),
    },
    {
      what: 'a 200 KB prompt handed on as it was spelled',
      where: 'src/models/transport/prompt-body.ts',
      ours: () => promptBody({ prompt: spelled }, shell),
      plain: () => Buffer.from(promptBody({ prompt: textPrompt(prompt) }, shell)),
    },
    {
      what: 'the same put together from bytes, as a part of a fold is, with a paragraph more',
      where: 'src/models/prompt.ts',
      ours: () => promptBody({ prompt: withParagraph(spelled, 'Be brief.') }, shell),
      plain: () => Buffer.from(promptBody({ prompt: textPrompt(`${spelledText(json)}\n\nBe brief.`) }, shell)),
    },
    {
      what: 'where a character stands in 5 MB of a spelling, walked',
      where: 'src/domain/spelled-json.ts',
      ours: () => spelledPlaces(long, [longText.length]),
      plain: () => Buffer.byteLength(JSON.stringify(longText)),
    },
    {
      what: 'a body of 5 MB crosses to a thread in memory that both share',
      where: 'src/http/plugins/collect.ts',
      ours: () => structuredClone(shared),
      plain: () => structuredClone(own),
    },
    {
      what: `${ENTRIES} entries checked where they lie, not copied by zod`,
      where: 'src/domain/session/check-entries.ts',
      ours: () => entriesSchema.safeParse(entries),
      plain: () => zodEntries.safeParse(entries),
    },
    {
      what: 'a cut line told from JSON without an exception',
      where: 'src/domain/is-json.ts',
      ours: () => isJson(line),
      plain: () => parseJson(line),
    },
    {
      what: `${BODIES} bodies of 200 KB pass, and V8 is told to collect the young`,
      where: 'src/workers/dead-bodies.ts',
      ours: () => pass(({ length }) => dead(length)),
      plain: () => pass(() => {}),
    },
    {
      what: 'the same, and each is freed at once',
      where: 'src/http/plugins/collect.ts',
      ours: () => pass(({ buffer }) => buffer.transfer(0)),
      plain: () => pass(() => {}),
    },
  ]
}

/** Every byte looked at. */
function valuesIn(bytes: Buffer): number {
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 0x22) {
      values += 1
      for (at += 1; at < bytes.length && bytes[at] !== 0x22; at += 1) if (bytes[at] === 0x5c) at += 1
    } else if (byte === 0x7b || byte === 0x5b) values += 1
    else if (byte === 0x3a) values -= 1
  }
  return values
}

/** A heap with something in it, through which bodies pass. */
function passage(): (after: (body: Buffer<ArrayBuffer>) => void) => Promise<number> {
  const living = Array.from({ length: 400_000 }, (_, at) => ({ at, text: `entry ${at}` }))
  return async (after) => {
    for (let body = 0; body < BODIES; body += 1) {
      after(Buffer.allocUnsafeSlow(PROMPT_BYTES))
      if (body % AT_ONCE === 0) await turn()
    }
    return living.length
  }
}
