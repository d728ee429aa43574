import { expect, it } from 'vitest'
import { summarizeExtractively } from '../../src/domain/extractive/summarize-extractively.ts'
import { textTokens } from '../../src/domain/tokens/text-tokens.ts'
import { completionOf } from '../support/fake-model.ts'
import { pipelineWorld, type Reply } from '../support/pipeline-world.ts'
import { SessionBuilder } from '../support/session-builder.ts'

/** What the embedded model says: as long as it may be. */
const embedded: Reply = (kind, { prompt, maxTokens }) =>
  kind === 'short'
    ? undefined
    : completionOf('recapd/extractive', summarizeExtractively({ prompt: prompt.text, maxTokens }), {
        degraded: true,
        method: 'extractive',
      })

/** File tags, and the record of a list's calls, are written by code and stand beside the text. */
const textOf = (summary = '') =>
  summary.replace(/\n*<(read|modified)-files>[\s\S]*?<\/\1-files>/g, '').replace(/\n## Tool Calls On Record[\s\S]*/, '')

const session = () => {
  const builder = new SessionBuilder()
  for (let at = 0; at < 60; at += 1)
    builder.user(
      `Please change module ${at}. Never rename part ${at} of it, since https://example.test/${at} needs it.`,
    )
  return builder.rows
}
const list = () =>
  Array.from({ length: 120 }, (_, at) =>
    at % 2 === 0
      ? { role: 'user', content: `Please change module ${at}. Never rename part ${at} of it.` }
      : { role: 'assistant', content: `I decided to keep part ${at}, because module ${at} needs it.` },
  )

it.each([1200, 600, 300])('compact keeps the text of a session within maxTokens %d', async (maxTokens) => {
  const world = pipelineWorld({ reply: embedded })
  const body = { entries: session(), settings: { keepRecentTokens: 200 }, maxTokens }
  const { entry } = await world.session(body)
  const tokens = textTokens(textOf(entry?.summary))
  expect(tokens).toBeLessThanOrEqual(maxTokens)
  expect(tokens).toBeGreaterThan(maxTokens / 2)
})

it.each([1200, 600, 300])('compact keeps the text of a list within maxTokens %d', async (maxTokens) => {
  const world = pipelineWorld({ reply: embedded })
  const { summary } = await world.list({ messages: list(), contextWindow: 8000, force: true, maxTokens })
  const tokens = textTokens(textOf(summary))
  expect(tokens).toBeLessThanOrEqual(maxTokens)
  expect(tokens).toBeGreaterThan(maxTokens / 2)
})

it('compact shares maxTokens between the halves of a split turn', async () => {
  const world = pipelineWorld()
  const builder = new SessionBuilder()
  builder.turns(3)
  builder.user('one long turn')
  for (let at = 0; at < 12; at += 1) builder.assistant(`step ${at} ${'word '.repeat(400)}`)
  await world.session({ entries: builder.rows, settings: { keepRecentTokens: 900 }, maxTokens: 1000 })
  const caps = world.asked.filter(({ kind }) => kind !== 'short').map(({ maxTokens = 0 }) => maxTokens)
  expect(caps).toHaveLength(2)
  expect(caps.reduce((sum, cap) => sum + cap, 0)).toBeLessThan(1000)
})

it('compact never raises the cap of the reserve by maxTokens', async () => {
  const world = pipelineWorld()
  await world.session({
    entries: session(),
    settings: { keepRecentTokens: 200, reserveTokens: 1000 },
    maxTokens: 90_000,
  })
  expect(world.asked.find(({ kind }) => kind === 'history')?.maxTokens).toBe(800)
})
