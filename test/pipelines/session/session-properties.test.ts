import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../support/chat-invariants.ts'
import type { Step } from '../../support/dialect-writers.ts'
import { pipelineWorld } from '../../support/pipeline-world.ts'
import { stories } from '../../support/stories.ts'

type Message = Record<string, unknown>

function messagesOf(step: Step): Message[] {
  const text = (value: string) => [{ type: 'text', text: value }]
  if ('user' in step) return [{ role: 'user', content: step.user }]
  const calls = 'calls' in step ? step.calls : []
  const made = calls.map(({ id, name, path }) => ({ type: 'toolCall', id, name, arguments: { path, content: 'x' } }))
  return [
    { role: 'assistant', content: [...text(step.say), ...made], stopReason: made.length === 0 ? 'stop' : 'toolUse' },
    ...calls.map(({ id, name, result, failed }) => ({
      role: 'toolResult',
      toolCallId: id,
      toolName: name,
      content: text(result),
      isError: failed,
    })),
  ]
}

function sessionOf(steps: readonly Step[]): Message[] {
  const timestamp = '2026-01-01T00:00:00.000Z'
  const entries = steps.flatMap(messagesOf).map((message, at) => ({
    type: 'message',
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp,
    message,
  }))
  return [{ type: 'session', version: 3, id: 's', timestamp, cwd: '/w' }, ...entries]
}

describe('compactSession on any session', () => {
  it('keeps calls beside their results, accounts for every entry, and loses no changed file', async () => {
    let compacted = 0
    await fc.assert(
      fc.asyncProperty(stories, fc.integer({ min: 1, max: 2000 }), async (steps, keepRecentTokens) => {
        const entries = deepFreeze(sessionOf(steps))
        const result = await pipelineWorld().session({
          entries,
          contextWindow: 8000,
          settings: { keepRecentTokens },
          coverage: true,
        })
        if (!result.compacted || result.plan === undefined || result.entry === undefined) return
        compacted += 1
        expect(result.plan.coverage?.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
        const context = (result.context?.messages ?? []) as Message[]
        const kept = new Set(result.plan.keptEntryIds)
        expect(context.slice(1)).toEqual(
          entries.filter(({ id }) => kept.has(String(id))).map((entry) => entry['message']),
        )
        const parts = context.flatMap(({ content }) => (Array.isArray(content) ? (content as Message[]) : []))
        const called = new Set(parts.filter(({ type }) => type === 'toolCall').map(({ id }) => id))
        const answered = context.filter(({ role }) => role === 'toolResult').map(({ toolCallId }) => toolCallId)
        expect(new Set(answered)).toEqual(called)
        const details = result.entry.details as { readonly modifiedFiles: readonly string[] }
        const live = JSON.stringify(context)
        for (const { name, path, failed } of steps.flatMap((step) => ('calls' in step ? step.calls : []))) {
          if (name !== 'read_file' && !failed)
            expect(details.modifiedFiles.includes(path) || live.includes(path)).toBe(true)
        }
      }),
      { numRuns: 60, seed: 20_261_130 },
    )
    expect(compacted).toBeGreaterThan(20)
  })
})
