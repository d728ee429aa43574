import { z } from 'zod'

/**
 * A message as pi and omp store it, every role in one loose shape (docs/spec/sessions.md §1). Strict only on what decides where a session is
 * cut; everything else is read with the accessors of `content.ts`, since agents add fields and roles between versions.
 */
export const messageSchema = z.looseObject({
  role: z.string().min(1).describe('user, developer, assistant, toolResult, bashExecution, pythonExecution, custom …'),
  content: z
    .union([z.string(), z.array(z.unknown())])
    .nullish()
    .describe('Text, or parts: text, thinking, toolCall, image …'),
  toolCallId: z.string().nullish(),
  toolName: z.unknown().optional(),
  isError: z.unknown().optional(),
  prunedAt: z.unknown().optional().describe('Set (ms) when the output was replaced by a placeholder'),
  stopReason: z.unknown().optional(),
  errorMessage: z.unknown().optional(),
  usage: z.unknown().optional(),
  api: z.unknown().optional(),
  provider: z.unknown().optional(),
  model: z.unknown().optional(),
  command: z.unknown().optional(),
  code: z.unknown().optional(),
  output: z.unknown().optional(),
  exitCode: z.unknown().optional(),
  cancelled: z.unknown().optional(),
  truncated: z.unknown().optional(),
  fullOutputPath: z.unknown().optional(),
  excludeFromContext: z.unknown().optional(),
  summary: z.string().nullish(),
  files: z.unknown().optional(),
  timestamp: z.unknown().optional(),
})

export type AgentMessage = Readonly<z.infer<typeof messageSchema>>
