import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { marksOf } from '../../../domain/agents/agents.ts'
import type { Wire } from '../../../domain/agents/request-view.ts'
import { ITEM_PREFIX } from '../../../pipelines/items/compaction-items.ts'
import type { AgentWire } from '../../../pipelines/pipeline-context.ts'
import { structureScanner } from '../../../requests/structure.ts'
import type { ProxyUpstream } from '../../options.ts'
import { type BodyLimits, type HoldBody, refuseMonsters } from '../../plugins/body.ts'
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
  readonly hold: HoldBody
}

/** The body as far as there is room for it: what is too large for us is not the caller's fault and streams through. */
export function readWhole(request: FastifyRequest, { bodyLimits, hold }: ReadingLimits): Promise<Peeked> {
  let bytes = 0
  return peekBody(request.raw, (piece) => {
    bytes += piece.length
    if (bytes > bodyLimits.bodyLimitBytes) return false
    return succeeds(() => hold(request, piece.length))
  })
}

const inflaters: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
}

/** A body worth parsing: plain JSON bytes, and how many values they hold. */
export interface Suspect {
  readonly bytes: Buffer
  readonly values: number
}

/**
 * The body where it may be a compaction call or holds an item of ours, found by a search of its bytes; null for the others,
 * which nobody parses.
 */
export async function suspectIn(
  request: FastifyRequest,
  sent: readonly Buffer[],
  { wire, limits }: { readonly wire: AgentWire; readonly limits: BodyLimits },
): Promise<Suspect | null> {
  const pieces = await inflated(request.headers['content-encoding'], sent, limits.bodyLimitBytes)
  if (pieces === null || !(wire.isCompaction || piecesInclude(pieces, MARKS[wire.wire]))) return null
  const bytes = Buffer.concat(pieces)
  const structure = structureScanner('json')
  const fits = succeeds(() => {
    structure.read(bytes)
    refuseMonsters({ mediaType: 'json', structure, bytes: bytes.length }, limits)
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

async function inflated(
  coding: string | undefined,
  pieces: readonly Buffer[],
  maxOutputLength: number,
): Promise<readonly Buffer[] | null> {
  const name = coding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return pieces
  const inflate = Object.hasOwn(inflaters, name) ? inflaters[name] : undefined
  if (inflate === undefined) return null
  return inflate(Buffer.concat(pieces), { maxOutputLength }).then(
    (bytes) => [bytes],
    () => null,
  )
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
