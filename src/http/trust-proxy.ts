import { isIP } from 'node:net'
import { z } from 'zod'

const NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** An address, a range of them, or a name that Fastify knows for some. */
function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0) return false
  if (bits === undefined) return NAMES.has(text) || isIP(text) !== 0
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

const range = z
  .string()
  .refine(
    (text) => text.split(',').every((part) => isRange(part.trim())),
    'expected addresses, CIDRs or loopback, linklocal, uniquelocal',
  )

/** As an environment variable spells it. */
const spelled = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (/^(true|false)$/i.test(value)) return /^true$/i.test(value)
  return /^\d{1,4}$/.test(value) ? Number(value) : value
}

export const trustProxyOption = z
  .preprocess(spelled, z.union([range, z.boolean(), z.int().nonnegative(), z.array(range).min(1)]))
  .default(false)
  .describe('whose X-Forwarded-For is believed: true, how many proxies, or their addresses')

export type TrustProxy = z.output<typeof trustProxyOption>

/** As Fastify takes it. A number given to Fastify trusts nobody, so hops are counted here: the first is the peer itself. */
export function trustOf(option: TrustProxy): boolean | string | string[] | ((address: string, hop: number) => boolean) {
  return typeof option === 'number' ? (_address, hop) => hop < option : option
}
