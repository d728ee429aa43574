import { SessionBuilder } from '../support/session-builder.ts'

/** A request: where to, and what. */
export interface AttackBody {
  readonly path: string
  readonly body: string
  readonly type?: string
}

const json = (path: string, value: object): AttackBody => ({ path, body: JSON.stringify(value) })

/** A session in which every kind of row holds the text. */
function sessionOf(text: string): SessionBuilder {
  const session = new SessionBuilder()
  const first = session.user('begin with the parser please')
  session.compaction(`## Goal\n- the parser\n\n## Done\n- a${text}b`, first)
  session.user(`please do this too ${text} now`)
  session.assistant(`I do it ${text}`, [{ id: 'c1', name: 'bash', arguments: { command: `make ${text} all` } }])
  session.result('c1', `out ${text} end`)
  session.assistant('', [{ id: 'c2', name: 'write', arguments: { path: 'src/a.ts', content: text } }])
  session.result('c2', `failed ${text} end`, { isError: true })
  session.bash(`git log ${text}`, `1a2b ${text}`)
  session.custom(`note ${text}`)
  session.user('go on then')
  session.assistant('On it. '.repeat(60))
  return session
}

function listOf(text: string): object[] {
  const call = (id: string, name: string, args: object) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })
  return [
    { role: 'system', content: 'You are the agent.' },
    { role: 'user', content: `please do this ${text} now` },
    { role: 'assistant', content: `I do it ${text}`, tool_calls: [call('c1', 'bash', { command: `make ${text}` })] },
    { role: 'tool', tool_call_id: 'c1', content: `Error: out ${text} end` },
    { role: 'assistant', content: `That is how it is ${text}.` },
    { role: 'user', content: 'good' },
    { role: 'assistant', content: 'On it. '.repeat(60) },
    { role: 'user', content: 'go on then' },
  ]
}

const promptOf = (text: string): string =>
  `<conversation>\n[User]: please do this ${text} now\n\n[Assistant]: I do it ${text}\n\n[Assistant tool calls]: bash(command=${JSON.stringify(text)})\n\n[Tool error]: failed ${text} end\n\n[User]: go on then\n</conversation>\n\n<previous-summary>\n## Done\n- a${text}b\n</previous-summary>\n\nSummarise.\n\n## Goal\n## Progress\n### Done\n### Blocked\n## Key Decisions\n## Next Steps`

/** Every endpoint that takes a body, full of the text. */
export const DOORS: Readonly<Record<string, (text: string) => AttackBody>> = {
  '/summarize': (text) => json('/summarize', { systemPrompt: 'S.', prompt: promptOf(text) }),
  '/summarize, plain': (text) => json('/summarize', { systemPrompt: 'S.', prompt: `${text} end` }),
  '/v1/chat/completions': (text) => json('/v1/chat/completions', { messages: listOf(text) }),
  '/compact, session': (text) =>
    json('/compact', { entries: sessionOf(text).rows, settings: { keepRecentTokens: 60 }, pinned: [text] }),
  '/compact, list': (text) =>
    json('/compact', { messages: listOf(text), contextWindow: 8_000, force: true, protect: { first: 0, last: 3 } }),
  '/branch-summary': (text) => {
    const session = sessionOf(text)
    const oldLeafId = session.leaf
    const targetId = session.at('00000001').assistant('elsewhere')
    return json('/branch-summary', { entries: session.rows, oldLeafId, targetId, customInstructions: text })
  },
  '/check': (text) =>
    json('/check', {
      messages: listOf(text),
      contextWindow: 8_000,
      lastError: { message: `400 ${text}` },
      state: text,
    }),
  '/prune': (text) => json('/prune', { entries: sessionOf(text).rows, protectTokens: 0, minimumSavings: 0 }),
  '/context': (text) => json('/context', { entries: sessionOf(text).rows, format: 'anthropic' }),
  '/check, lines': (text) => ({ path: '/check', body: `${text}\n{"type":"session"}\n`, type: 'application/x-ndjson' }),
}
