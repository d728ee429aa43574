import { describe, expect, it } from 'vitest'
import { agentAsk } from '../../../src/domain/agents/agent-ask.ts'
import { agentCallOf, marksOf, reviewed } from '../../../src/domain/agents/agents.ts'
import { viewRequest, type Wire } from '../../../src/domain/agents/request-view.ts'

const CLAUDE = [
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.',
  'Your task is to create a detailed summary of the conversation so far.',
].join('\n\n')
const CODEX = 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.'
const CONTINUE =
  'Please provide a concise summary of our conversation so far, capturing the key context, decisions made, and current state. You do not need to recap the system message.'
const ZED =
  'You are compacting this conversation into a handoff for another agent that will resume the work.\n\nWrite it down.'
const SNAPSHOT =
  'You are a specialized system component responsible for distilling chat history into a structured XML <state_snapshot>.'
const tools = [{ name: 'Edit' }]
const said = (role: string, text: string) => ({ role, content: text })
const item = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const content = (role: string, text: string) => ({ role, parts: [{ text }] })
const talk = [said('user', 'Fix the login.'), said('assistant', 'I fix it.')]
const systemIn = { system: 'You are an agent.' }

const callIn = (wire: Wire, body: unknown) => {
  const view = viewRequest(wire, body)
  return view === null ? null : agentCallOf(view)
}

const claude = (text: string, more: object = {}) => ({
  ...systemIn,
  tools,
  messages: [
    ...talk,
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And the tests.' },
        { type: 'text', text },
      ],
    },
  ],
  ...more,
})

describe('agentCallOf recognises', () => {
  it.each<[string, Wire, unknown, string, string]>([
    ['Claude Code', 'messages', claude(CLAUDE), 'claude-code', 'rows'],
    [
      'Claude Code with a system row behind',
      'messages',
      { ...claude(CLAUDE), messages: [...talk, said('user', CLAUDE), said('system', 'x')] },
      'claude-code',
      'rows',
    ],
    [
      'the trigger of Codex',
      'responses',
      { input: [item('user', 'x'), { type: 'compaction_trigger' }] },
      'codex',
      'item',
    ],
    [
      'the prompt of Codex',
      'responses',
      { input: [item('developer', 'You code.'), item('user', 'x'), item('user', CODEX)] },
      'codex',
      'rows',
    ],
    [
      'opencode',
      'chat',
      {
        messages: [
          said('system', 'You are a context summarization agent. Go.'),
          said('user', '<conversation>\n[User]: x\n</conversation>'),
        ],
      },
      'opencode',
      'prompt',
    ],
    [
      'pi on another wire',
      'messages',
      {
        system: 'You are a context summarization assistant.',
        messages: [said('user', '<conversation>\n[User]: x\n</conversation>')],
      },
      'pi',
      'prompt',
    ],
    [
      'Gemini CLI',
      'gemini',
      {
        systemInstruction: { parts: [{ text: SNAPSHOT }] },
        contents: [
          content('user', 'x'),
          content('model', 'y'),
          content('user', 'Then, generate the updated <state_snapshot>.'),
        ],
      },
      'gemini-cli',
      'rows',
    ],
    [
      'its review',
      'gemini',
      {
        systemInstruction: { parts: [{ text: SNAPSHOT }] },
        contents: [
          content('user', 'x'),
          content('model', '<state_snapshot>\nS\n</state_snapshot>'),
          content('user', 'Critically evaluate the <state_snapshot> you just generated. Well?'),
        ],
      },
      'gemini-cli',
      'review',
    ],
    [
      'Continue',
      'chat',
      { tools, messages: [said('system', 's'), ...talk, said('user', 'Now this.'), said('user', CONTINUE)] },
      'continue',
      'rows',
    ],
    [
      'Cline',
      'chat',
      {
        messages: [
          said('system', 'Summarize the provided coding session into a concise continuation note.'),
          said('user', 'Summarize this session for continuation. Conversation:\n[User]: x'),
        ],
      },
      'cline',
      'prompt',
    ],
    [
      'Roo',
      'messages',
      {
        system: [
          {
            type: 'text',
            text: 'You are a helpful AI assistant tasked with summarizing conversations.\n\nThis is a summarization-only request.',
          },
        ],
        messages: [...talk, said('user', 'Any text.')],
      },
      'roo',
      'rows',
    ],
    ['Zed', 'messages', { ...systemIn, messages: [...talk, said('user', ZED)] }, 'zed', 'rows'],
    [
      'goose',
      'chat',
      {
        messages: [
          said('system', 'The messages above are a conversation to summarize. [user]: x'),
          said('user', 'Please summarize the conversation history provided in the system prompt.'),
        ],
      },
      'goose',
      'prompt',
    ],
  ])('%s', (_name, wire, body, agent, ask) => {
    expect(callIn(wire, body)).toMatchObject({ agent, ask })
    const call = callIn(wire, body)
    expect(marksOf(wire)).toContain(call?.mark)
    expect(JSON.stringify(body)).toContain(call?.mark)
  })
})

describe('agentCallOf passes over', () => {
  it.each<[string, Wire, unknown]>([
    ['a question about summaries', 'messages', claude('Please summarize our conversation so far.')],
    ['a quotation', 'messages', claude(`What is wrong with this?\n\n${CLAUDE}`)],
    ['the words without the shape', 'messages', { messages: [said('user', CLAUDE)] }],
    [
      'the words in an earlier row',
      'messages',
      {
        ...claude('And now?'),
        messages: [said('user', CLAUDE), said('assistant', 'A prompt.'), said('user', 'And now?')],
      },
    ],
    ['the words of the assistant', 'messages', { ...claude(''), messages: [...talk, said('assistant', CLAUDE)] }],
    [
      'the words in a tool result',
      'messages',
      {
        ...claude(''),
        messages: [...talk, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: CLAUDE }] }],
      },
    ],
    [
      'a text in front of a tool result',
      'messages',
      {
        ...claude(''),
        messages: [
          ...talk,
          {
            role: 'user',
            content: [
              { type: 'text', text: CLAUDE },
              { type: 'tool_result', tool_use_id: 't', content: 'x' },
            ],
          },
        ],
      },
    ],
    ['a trigger that does not stand last', 'responses', { input: [{ type: 'compaction_trigger' }, item('user', 'x')] }],
    [
      'the request of a snapshot by somebody else',
      'gemini',
      {
        systemInstruction: { parts: [{ text: 'You are a poet.' }] },
        contents: [content('user', 'generate the updated <state_snapshot>.')],
      },
    ],
    [
      'a review of nothing',
      'gemini',
      {
        systemInstruction: { parts: [{ text: SNAPSHOT }] },
        contents: [
          content('model', 'no'),
          content('user', 'Critically evaluate the <state_snapshot> you just generated.'),
        ],
      },
    ],
    [
      'a chat with tools under the words of opencode',
      'chat',
      {
        tools,
        messages: [
          said('system', 'You are a context summarization agent.'),
          said('user', '<conversation>x</conversation>'),
        ],
      },
    ],
    ['bodies of any other kind', 'chat', { messages: 7 }],
  ])('%s', (_name, wire, body) => {
    expect(callIn(wire, body)).toBeNull()
  })
})

describe('agentAsk', () => {
  const asked = (wire: Wire, body: unknown) => {
    const view = viewRequest(wire, body)
    const call = view === null ? null : agentCallOf(view)
    if (view === null || call === null) throw new Error('not recognised')
    return agentAsk(view, call)
  }

  it('takes the instruction off a row and leaves what else stands in it', () => {
    expect(asked('messages', claude(CLAUDE)).rows).toEqual([
      ...talk,
      { role: 'user', content: [{ type: 'text', text: 'And the tests.' }] },
    ])
  })

  it('takes a row off that is nothing but the instruction, and the trigger', () => {
    expect(asked('messages', { ...claude(''), messages: [...talk, said('user', CLAUDE)] }).rows).toEqual(talk)
    const user = item('user', 'x')
    expect(asked('responses', { input: [user, { type: 'compaction_trigger' }] }).rows).toEqual([user])
  })

  it('reads what the user asked to keep, up to the reminder', () => {
    const text = `${CLAUDE}\n\nAdditional Instructions:\nKeep the numbers.\n\nREMINDER: Do NOT call any tools.`
    expect(asked('messages', claude(text)).focus).toBe('Keep the numbers.')
    expect(asked('messages', claude(CLAUDE)).focus).toBe('')
  })
})

it('reviewed gives the snapshot that stands before the review', () => {
  const view = viewRequest('gemini', {
    contents: [content('model', 'a <state_snapshot>\nS\n</state_snapshot> b'), content('user', 'Critically evaluate')],
  })
  expect(view === null ? null : reviewed(view, 'state_snapshot')).toBe('S')
})
