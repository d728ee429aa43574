import { expect, it } from 'vitest'
import { appOfTest } from '../support/build-test-app.ts'
import { readEvents } from '../support/read-events.ts'

const row = (id: string, parentId: string | null, role: string, content: string) => ({
  type: 'message',
  id,
  parentId,
  message: { role, content },
})
const entries = [
  row('root', null, 'user', 'root ask'),
  row('left', 'root', 'user', 'left ask'),
  row('there', 'root', 'assistant', 'elsewhere'),
]
const headers = { 'content-type': 'application/json' }
const SECTIONS = ['Constraints & Preferences', 'Progress', 'Key Decisions', 'Next Steps']
const script = [{ text: `## Goal\nwhat was tried\n${SECTIONS.map((title) => `\n## ${title}\n- (none)\n`).join('')}` }]

it('POST /branch-summary streams its attempts and ends in the answer', async () => {
  const { app } = await appOfTest({ script })
  const response = await app.inject({
    method: 'POST',
    url: '/branch-summary',
    headers: { ...headers, accept: 'text/event-stream' },
    payload: { entries, oldLeafId: 'left', targetId: 'there' },
  })
  const events = readEvents(response.payload)
  const names = events.map(({ event }) => event)
  expect(new Set(names)).toEqual(new Set(['delta', 'attempt', 'summary', 'done']))
  expect(names.at(-1)).toBe('done')
  expect(events.filter(({ event }) => event !== 'done').every(({ data }) => JSON.parse(data).kind === 'branch')).toBe(
    true,
  )
  const { entry, newLeafId } = JSON.parse(events.at(-1)?.data ?? '{}')
  expect(entry.summary).toContain('\n\n## Goal\nwhat was tried')
  expect(newLeafId).toBe(entry.id)
})

it('POST /branch-summary takes a session file with its parameters in the query, null as a word', async () => {
  const { app, provider } = await appOfTest({ script })
  const file = `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\nnot json\n`
  const ask = async (query: string) => {
    const response = await app.inject({
      method: 'POST',
      url: `/branch-summary?${query}`,
      headers: { 'content-type': 'application/x-ndjson' },
      payload: file,
    })
    return response.json()
  }
  expect(await ask('oldLeafId=left&targetId=there&settings.reserveTokens=8000')).toMatchObject({
    summarized: true,
    collected: { entryIds: ['left'], tokenBudget: 120_000 },
    warnings: [expect.stringContaining('1 ')],
  })
  expect(await ask('oldLeafId=null&targetId=left')).toMatchObject({
    summarized: false,
    newLeafId: 'root',
    editorText: 'left ask',
  })
  expect(provider.requests).toHaveLength(1)
})

it('POST /branch-summary fails as a problem and counts what it did', async () => {
  const { app, admin, provider } = await appOfTest({ script: [{ status: 500 }] })
  const post = (payload: object) => app.inject({ method: 'POST', url: '/branch-summary', headers, payload })
  const failed = await post({ entries, oldLeafId: 'left', targetId: 'there' })
  expect([failed.statusCode, failed.json().code]).toEqual([502, 'models-failed'])
  expect(failed.headers['content-type']).toMatch(/problem\+json/)
  const asked = provider.requests.length
  const unknown = await post({ entries, oldLeafId: 'left', targetId: 'nobody' })
  expect([unknown.statusCode, unknown.json().code]).toEqual([422, 'unknown-target'])
  const missing = await post({ entries, targetId: 'there' })
  expect(missing.json()).toMatchObject({ code: 'invalid-request', errors: [{ path: '/oldLeafId' }] })
  await post({ entries, oldLeafId: 'left', targetId: 'there', summarize: false })
  expect(provider.requests).toHaveLength(asked)
  const metrics = await admin.inject({ url: '/metrics' })
  expect(metrics.payload).toContain('recapd_compactions_total{kind="branch",reason="navigation",result="not-asked"} 1')
  expect(metrics.payload).not.toContain('result="summarized"')
})
