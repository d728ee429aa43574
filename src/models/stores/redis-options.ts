import { z } from 'zod'
import { redisAddress } from './redis-address.ts'

const file = z.string().min(1)

/** Where all replicas remember together (docs/spec/production.md §6). */
export const redisOptions = z
  .strictObject({
    url: z
      .string()
      .default('')
      .superRefine((text, context) => {
        const fault = text === '' ? undefined : redisAddress(text).fault
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
      })
      .describe('empty: no Redis; also REDIS_URL'),
    prefix: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, 'up to 64 printable characters without spaces')
      .refine((text) => !/[{}]/.test(text), 'no curly brackets, which a cluster reads')
      .default('recapd:')
      .describe('in front of every key and channel: one for each environment that shares a Redis'),
    timeoutMs: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .default(200)
      .describe('silence of Redis after which this replica goes on alone'),
    cluster: z.boolean().default(false).describe('the URL names a node of a Redis Cluster'),
    sentinels: z
      .strictObject({
        name: z.string().min(1).default('mymaster').describe('name of the main server'),
        nodes: z
          .array(z.string().regex(/^[^\s/@]+$/, 'host or host:port'))
          .min(1)
          .describe('host:port of each sentinel'),
      })
      .optional(),
    tls: z
      .strictObject({
        ca: file.optional().describe('PEM file of the authority, as seen from the configuration file'),
        cert: file.optional().describe('PEM file of our certificate'),
        key: file.optional().describe('PEM file of its key'),
        servername: z.string().min(1).optional().describe('name in the certificate of Redis'),
        rejectUnauthorized: z.boolean().default(true).describe('false: any certificate will do'),
      })
      .optional(),
  })
  .prefault({})
