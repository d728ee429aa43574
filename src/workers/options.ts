import { z } from 'zod'

/** The part of the configuration that says how much of its machine the process may use (docs/spec/production.md §1). */
export const workersOptions = {
  memory: z
    .strictObject({
      limitMiB: z
        .int()
        .min(64)
        .optional()
        .describe("of the whole process; the control group's limit, else 75 % of the machine"),
    })
    .prefault({}),
  workers: z
    .strictObject({
      max: z.int().positive().optional().describe('threads for long work; one core less than there are, and what fits'),
    })
    .prefault({}),
}
