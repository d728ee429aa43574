import { z } from 'zod'
import { httpOptions } from '../http/options.ts'
import { jobsOptions } from '../jobs/options.ts'
import { modelsOptions } from '../models/options.ts'
import { workersOptions } from '../workers/options.ts'

/** The whole configuration file, composed from what each floor reads. An unknown key is a fault: it is a misspelt one. */
export const configSchema = z.strictObject({
  ...httpOptions,
  ...modelsOptions,
  ...workersOptions,
  compaction: z
    .strictObject({
      enabled: z.boolean().default(true).describe('false: automatic compactions are refused'),
      reserveTokens: z.int().positive().optional().describe('16384, less where the window is small'),
      keepRecentTokens: z.int().positive().optional().describe('20000, less where the window is small'),
      autoContinue: z.boolean().default(true).describe('give back the prompt that lets the agent go on'),
      thresholdPercent: z.number().min(1).max(99).optional().describe('of the window; wins over the reserve'),
      thresholdTokens: z.int().positive().optional().describe('wins over both'),
      aheadTtlMs: z
        .int()
        .positive()
        .max(2_147_483_647)
        .default(3_600_000)
        .describe('how long a summary that was made ahead of time is kept'),
    })
    .prefault({}),
  branchSummary: z
    .strictObject({ reserveTokens: z.int().positive().optional().describe('16384, less where the window is small') })
    .prefault({}),
  jobs: jobsOptions.optional(),
  hooks: z.string().min(1).optional().describe('a TypeScript or JavaScript file'),
  prompts: z.string().min(1).optional().describe('a folder whose *.md files replace ours'),
  log: z
    .strictObject({
      level: z
        .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('info')
        .describe('also LOG_LEVEL'),
    })
    .prefault({}),
})

export type ConfigFile = z.output<typeof configSchema>
