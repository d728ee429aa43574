import { describe, expect, it } from 'vitest'
import { asciiOnly } from '../../support/ascii-only.ts'
import { appOfTest } from '../../support/build-test-app.ts'
import { request } from '../../support/raw-http.ts'

const COUNT = 1_200
/** A message of 2 KB with everything that is spelled otherwise than it reads. */
const said = (i: number) => `m${i}-begin ${`"C:\\new\\${i}" 漢字 😀 é\tx `.repeat(80)} m${i}-end`
const label = (i: number) => (i % 2 === 0 ? 'User' : 'Assistant')
const PROMPT = `<conversation>\n${Array.from({ length: COUNT }, (_, i) => `[${label(i)}]: ${said(i)}`).join('\n\n')}\n</conversation>\n\nSummarise the conversation above.\n\n## Goal\n[one line]`
const ASKED = { systemPrompt: 'S.', prompt: PROMPT, model: 'alpha/small' }

const ENTRIES = Array.from({ length: COUNT }, (_, i) => ({
  type: 'message',
  id: `e${i}`,
  parentId: i === 0 ? null : `e${i - 1}`,
  timestamp: new Date(1_700_000_000_000 + i * 1_000).toISOString(),
  message: { role: label(i).toLowerCase(), content: [{ type: 'text', text: said(i) }] },
}))

/** A summary under every heading that is asked for. */
const SUMMARY = [
  ['Goal', 'go on with what was said'],
  ['Constraints & Preferences', 'none'],
  ['Progress', '### Done\n- all messages were read'],
  ['Key Decisions', 'none'],
  ['Next Steps', 'go on'],
  ['Critical Context', 'they hold paths below C:\\new'],
  ['Original Request', 'go on with what was said'],
  ['Early Progress', 'the first messages were read'],
  ['Context for Suffix', 'none'],
]
  .map(([heading, text = '']) => `## ${heading}\n${text.startsWith('#') ? text : `- ${text}`}`)
  .join('\n\n')

/** What one request makes the provider read; asked again, the same counts once. */
async function ask(path: string, body: string) {
  const service = await appOfTest({ script: () => ({ text: SUMMARY }) })
  const headers = { 'content-type': 'application/json' }
  const { status } = await request(`${await service.listen()}${path}`, { body, headers })
  const asked = service.provider.requests.map(({ body: sent }) => contentOf(sent))
  return { status, parts: [...new Set(asked)].filter((text) => text.includes('-begin')) }
}

describe('a prompt of more than 1 MiB that is sent in parts', () => {
  it.each([
    ['spelled with characters', JSON.stringify(ASKED)],
    ['spelled in ASCII', asciiOnly(ASKED)],
  ])('says every message once, as it was said: %s', async (_, body) => {
    const { status, parts } = await ask('/summarize', body)
    expect(status).toBe(200)
    expectAllIn(parts, COUNT)
  })

  it('says every message of a session once, as it was said', async () => {
    const settings = { keepRecentTokens: 20_000 }
    const { status, parts } = await ask(
      '/compact',
      JSON.stringify({ entries: ENTRIES, model: 'alpha/small', settings }),
    )
    expect(status).toBe(200)
    expectAllIn(parts, COUNT - 100)
  })
})

/** The first of the messages, each in one part alone, whole. */
function expectAllIn(parts: readonly string[], count: number): void {
  expect(parts.length).toBeGreaterThan(4)
  const homes = Array.from({ length: count }, (_, i) => parts.filter((part) => part.includes(said(i))).length)
  expect(homes.filter((home) => home !== 1)).toEqual([])
}

function contentOf(body: unknown): string {
  const { messages } = body as { messages: readonly { role: string; content: string }[] }
  return messages.find(({ role }) => role === 'user')?.content ?? ''
}
