import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { marksOf } from '../../../domain/agents/agents.ts'
import type { Wire } from '../../../domain/agents/request-view.ts'
import { ITEM_PREFIX } from '../../../pipelines/items/compaction-items.ts'
import type { AgentWire } from '../../../pipelines/pipeline-context.ts'
import { bodyCost } from '../../../requests/body-cost.ts'
import { structureScanner } from '../../../requests/structure.ts'
import type { ProxyUpstream } from '../../options.ts'
import { type BodyLedger, type BodyLimits, refuseMonsters } from '../../plugins/body.ts'
import { INFLATERS, PIECE } from '../../plugins/inflate.ts'
import { type Peeked, peekBody } from './peek-body.ts'
import { piecesInclude } from './pieces-include.ts'

const PATHS: Readonly<Record<ProxyUpstream['speaks'], readonly (readonly [RegExp, AgentWire])[]>> = {
  anthropic: [[/\/v1\/messages$/, { wire: 'messages', isCompaction: false }]],
  openai: [
    [/\/chat\/completions$/, { wire: 'chat', isCompaction: false }],
    [/\/responses$/, { wire: 'responses', isCompaction: false }],
    [/\/responses\/compact$/, { wire: 'responses', isCompaction: true }],
  ],
  gemini: [[/:(?:streamG|g)enerateContent$/, { wire: 'gemini', isCompaction: false }]],
}

/** The wire of a request whose body may be a compaction call; null for all others, which stream through unread. */
export function wireOf(request: FastifyRequest, speaks: ProxyUpstream['speaks']): AgentWire | null {
  if (request.method !== 'POST') return null
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  return PATHS[speaks].find(([pattern]) => pattern.test(path))?.[1] ?? null
}

export interface ReadingLimits {
  readonly bodyLimits: BodyLimits
  readonly bodyLedger: BodyLedger
}

/** The body, if there is room for it: one that is too large for us is not the caller's fault and streams through. */
export function readWhole(request: FastifyRequest, limits: ReadingLimits): Promise<Peeked> {
  return peekBody(request.raw, taker(request, limits))
}

/** Whether there is room for one more piece: of a body as it comes, or of one that is inflated. */
function taker(request: FastifyRequest, { bodyLimits, bodyLedger }: ReadingLimits): (piece: Buffer) => boolean {
  let bytes = 0
  return (piece) => {
    bytes += piece.length
    return bytes <= bodyLimits.bodyLimitBytes && succeeds(() => bodyLedger.hold(request, piece.length))
  }
}

/** Our own endpoints refuse zstd; agents send it to their providers. */
const inflaters: typeof INFLATERS = { ...INFLATERS, zstd: () => zlib.createZstdDecompress(PIECE) }

/** A body worth parsing: plain JSON bytes, and how many values they hold. */
export interface Suspect {
  readonly bytes: Buffer
  readonly values: number
}

/**
 * The body where it may be a compaction call or holds an item of ours, found by a search of its bytes; null for the others,
 * which are not parsed.
 */
export async function suspectIn(
  request: FastifyRequest,
  sent: readonly Buffer[],
  { wire, limits }: { readonly wire: AgentWire; readonly limits: ReadingLimits },
): Promise<Suspect | null> {
  const pieces = await inflated(request, sent, limits)
  if (pieces === null || !(wire.isCompaction || piecesInclude(pieces, MARKS[wire.wire]))) return null
  const bytes = Buffer.concat(pieces)
  const structure = structureScanner('json')
  const fits = succeeds(() => {
    structure.read(bytes)
    refuseMonsters({ mediaType: 'json', structure, bytes: bytes.length }, limits.bodyLimits)
    limits.bodyLedger.admit(request, bodyCost('json', bytes.length, structure).heapBytes)
  })
  return fits ? { bytes, values: structure.values } : null
}

const marks = (wire: Wire): Buffer[] =>
  [...marksOf(wire), ...(wire === 'responses' ? [ITEM_PREFIX] : [])].map((mark) => Buffer.from(mark))

const MARKS: Readonly<Record<Wire, readonly Buffer[]>> = {
  messages: marks('messages'),
  chat: marks('chat'),
  responses: marks('responses'),
  gemini: marks('gemini'),
}

/** Null for an unknown coding, for damaged bytes, and where there is no room; a bomb is stopped on its way. */
async function inflated(
  request: FastifyRequest,
  pieces: readonly Buffer[],
  limits: ReadingLimits,
): Promise<readonly Buffer[] | null> {
  const name = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return pieces
  const inflater = Object.hasOwn(inflaters, name) ? inflaters[name]?.() : undefined
  if (inflater === undefined) return null
  const take = taker(request, limits)
  const plain: Buffer[] = []
  try {
    for await (const piece of Readable.from(pieces).pipe(inflater)) {
      if (!take(piece)) return null
      plain.push(piece)
    }
  } catch {
    return null
  }
  return plain
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
