import { agentText } from './agent-text.ts'

const ENTRY_BYTES = 1_000
const TURN = 10

/**
 * A session file of so many entries of about 1 kB, as agents record it: turns of one ask, then answers with a call and its
 * result by turns; edits, reads, shell commands, some errors. The same for the same number.
 */
export function sessionEntries(count: number): readonly object[] {
  const text = agentText(400_000)
  let at = 0
  const words = (length: number) => {
    at = (at + length + 7) % (text.length - length)
    return text.slice(at, at + length)
  }
  const entries: object[] = [{ type: 'session', version: 3, id: 'bench', cwd: '/repo' }]
  let parentId: string | null = null
  for (let n = 0; entries.length <= count; n += 1) {
    const id = n.toString(16).padStart(8, '0')
    entries.push({ type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', message: messageOf(n, words) })
    parentId = id
  }
  return entries
}

function messageOf(n: number, words: (length: number) => string): object {
  const step = n % TURN
  const turn = Math.floor(n / TURN)
  if (step === 0)
    return { role: 'user', content: [{ type: 'text', text: `Please fix module ${turn}. ${words(ENTRY_BYTES / 2)}` }] }
  const call = {
    type: 'toolCall',
    id: `call_${n - (step % 2 === 0 ? 1 : 0)}`,
    name: TOOLS[turn % TOOLS.length],
    arguments: {},
  }
  if (step % 2 === 0) {
    const isError = n % 30 === 0
    const content = [
      { type: 'text', text: `${isError ? 'Error: failed in step' : 'done'} ${n}\n${words(ENTRY_BYTES - 300)}` },
    ]
    return { role: 'toolResult', toolCallId: call.id, toolName: call.name, content, isError, timestamp: n }
  }
  const args = {
    path: `src/module-${turn}/file-${step}.ts`,
    command: `npm test -- ${n}`,
    content: words(ENTRY_BYTES / 3),
  }
  const content = [
    { type: 'text', text: words(ENTRY_BYTES / 3) },
    { ...call, arguments: args },
  ]
  return { role: 'assistant', content, provider: 'bench', model: 'bench-1', stopReason: 'toolUse', timestamp: n }
}

const TOOLS = ['bash', 'edit', 'read', 'write'] as const
