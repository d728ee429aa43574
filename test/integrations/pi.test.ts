import { expect, it, vi } from 'vitest'
import { appOfTest } from '../support/build-test-app.ts'
import { LONG_TALK_SETTINGS, longTalk } from '../support/session-builder.ts'

/** By its address: its types come from pi, which is not installed here. */
const EXTENSION = new URL('../../integrations/pi/index.ts', import.meta.url).href

type Handler = (event: object, context: object) => Promise<unknown>

/** The extension as pi loads it: its handlers by the event they hear. */
async function extensionAt(url: string) {
  vi.stubEnv('RECAPD_URL', url)
  vi.resetModules()
  const { default: register } = await import(EXTENSION)
  vi.unstubAllEnvs()
  const handlers = new Map<string, Handler>()
  ;(register as (pi: object) => void)({ on: (name: string, handler: Handler) => handlers.set(name, handler) })
  return (name: string, event: object, context: object = {}) => handlers.get(name)?.(event, context)
}

const signal = new AbortController().signal
const preparation = { settings: { reserveTokens: 16_384, ...LONG_TALK_SETTINGS } }

it('session_before_compact gives pi the compaction in the shape it stores', async () => {
  const { provider, listen } = await appOfTest({ script: [{ text: '## Goal\nplain work' }] })
  const hear = await extensionAt(await listen())
  const entries = longTalk()
  const answer = await hear('session_before_compact', {
    preparation,
    branchEntries: entries,
    signal,
    customInstructions: 'Mind the port.',
  })
  expect(answer).toEqual({
    compaction: {
      summary: expect.stringContaining('plain work'),
      firstKeptEntryId: expect.any(String),
      tokensBefore: expect.any(Number),
      details: expect.objectContaining({ modifiedFiles: expect.any(Array) }),
    },
  })
  expect(JSON.stringify(provider.requests)).toContain('Mind the port.')
})

it('session_before_tree gives pi the summary of the branch, where one is wanted', async () => {
  const { listen } = await appOfTest({ script: [{ text: '## Goal\nwhat was tried' }] })
  const hear = await extensionAt(await listen())
  const entries = longTalk()
  const [first] = entries.filter((entry) => entry['type'] === 'message')
  const tree = { targetId: first?.['id'], oldLeafId: entries.at(-1)?.['id'], userWantsSummary: true }
  const context = { sessionManager: { getEntries: () => entries } }
  const answer = await hear('session_before_tree', { preparation: tree, signal }, context)
  expect(answer).toMatchObject({ summary: { summary: expect.stringContaining('what was tried') } })
  const unwanted = { preparation: { ...tree, userWantsSummary: false }, signal }
  expect(await hear('session_before_tree', unwanted, context)).toBeUndefined()
})

it.each([
  ['when every model fails', 'failing'],
  ['when nobody listens', 'http://127.0.0.1:9'],
])('answers nothing %s, so that pi compacts by itself', async (_title, where) => {
  const { listen } = await appOfTest({ script: [{ status: 401 }] })
  const hear = await extensionAt(where === 'failing' ? await listen() : where)
  expect(await hear('session_before_compact', { preparation, branchEntries: longTalk(), signal })).toBeUndefined()
})
