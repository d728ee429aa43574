import type { Dialect } from '../../src/domain/dialects/codec.ts'

/** One call of a story and what came of it. */
export interface ToldCall {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly result: string
  readonly failed: boolean
}

/** One step of a story, whatever dialect it is told in. */
export type Step =
  | { readonly user: string }
  | { readonly say: string }
  | { readonly say: string; readonly calls: readonly ToldCall[] }

type Message = Record<string, unknown>

/** How one dialect tells a step, and what a check needs to read its rows; told apart from the code under test on purpose. */
export interface Writer {
  readonly format: Dialect
  user(text: string): Message
  says(text: string, calls: readonly ToldCall[]): Message[]
  results(calls: readonly ToldCall[]): Message[]
  /** Ids of the calls a row makes, of the results it holds. */
  called(row: Message): string[]
  answered(row: Message): string[]
  roleOf(row: Message): string
  /** Rows of one role never follow each other, and results stand in the row behind their calls. */
  readonly alternates: boolean
}

const blocks = (row: Message, field = 'content'): Message[] =>
  Array.isArray(row[field]) ? (row[field] as Message[]) : []
const args = ({ path }: ToldCall) => ({ path, content: 'x' })
const inner = (row: Message, name: string): Message => (row[name] ?? {}) as Message
const text = (value: string): Message => ({ type: 'text', text: value })

const openai: Writer = {
  format: 'openai',
  user: (content) => ({ role: 'user', content }),
  says: (content, calls) => [
    {
      role: 'assistant',
      content: content || null,
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(args(call)) },
            })),
          }),
    },
  ],
  results: (calls) => calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  called: (row) => blocks(row, 'tool_calls').map((call) => String(call['id'])),
  answered: (row) => (row['role'] === 'tool' ? [String(row['tool_call_id'])] : []),
  roleOf: (row) => String(row['role']),
  alternates: false,
}

const anthropic: Writer = {
  format: 'anthropic',
  user: (value) => ({ role: 'user', content: [text(value)] }),
  says: (value, calls) => [
    {
      role: 'assistant',
      content: [
        ...(value === '' ? [] : [text(value)]),
        ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: args(call) })),
      ],
    },
  ],
  results: (calls) => [
    {
      role: 'user',
      content: calls.map(({ id, result, failed }) => ({
        type: 'tool_result',
        tool_use_id: id,
        is_error: failed,
        content: [text(result)],
      })),
    },
  ],
  called: (row) => blocks(row).flatMap((block) => (block['type'] === 'tool_use' ? [String(block['id'])] : [])),
  answered: (row) =>
    blocks(row).flatMap((block) => (block['type'] === 'tool_result' ? [String(block['tool_use_id'])] : [])),
  roleOf: (row) => String(row['role']),
  alternates: true,
}

const item = (role: string, type: string, value: string): Message => ({
  type: 'message',
  role,
  content: [{ type, text: value }],
})

const responses: Writer = {
  format: 'responses',
  user: (value) => item('user', 'input_text', value),
  says: (value, calls) => [
    ...(value === '' ? [] : [item('assistant', 'output_text', value)]),
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(args(call)),
    })),
  ],
  results: (calls) => calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
  called: (row) => (row['type'] === 'function_call' ? [String(row['call_id'])] : []),
  answered: (row) => (row['type'] === 'function_call_output' ? [String(row['call_id'])] : []),
  roleOf: (row) => String(row['role'] ?? (row['type'] === 'function_call_output' ? 'tool' : 'assistant')),
  alternates: false,
}

const vercel: Writer = {
  format: 'vercel',
  user: (value) => ({ role: 'user', content: [text(value)] }),
  says: (value, calls) => [
    {
      role: 'assistant',
      content: [
        ...(value === '' ? [] : [text(value)]),
        ...calls.map((call) => ({ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: args(call) })),
      ],
    },
  ],
  results: (calls) => [
    {
      role: 'tool',
      content: calls.map(({ id, name, result, failed }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: failed ? 'error-text' : 'text', value: result },
      })),
    },
  ],
  called: (row) => blocks(row).flatMap((part) => (part['type'] === 'tool-call' ? [String(part['toolCallId'])] : [])),
  answered: (row) =>
    blocks(row).flatMap((part) => (part['type'] === 'tool-result' ? [String(part['toolCallId'])] : [])),
  roleOf: (row) => String(row['role']),
  alternates: false,
}

const bedrock: Writer = {
  format: 'bedrock',
  user: (value) => ({ role: 'user', content: [{ text: value }] }),
  says: (value, calls) => [
    {
      role: 'assistant',
      content: [
        ...(value === '' ? [] : [{ text: value }]),
        ...calls.map((call) => ({ toolUse: { toolUseId: call.id, name: call.name, input: args(call) } })),
      ],
    },
  ],
  results: (calls) => [
    {
      role: 'user',
      content: calls.map(({ id, result, failed }) => ({
        toolResult: { toolUseId: id, status: failed ? 'error' : 'success', content: [{ text: result }] },
      })),
    },
  ],
  called: (row) =>
    blocks(row).flatMap((block) => (block['toolUse'] ? [String(inner(block, 'toolUse')['toolUseId'])] : [])),
  answered: (row) =>
    blocks(row).flatMap((block) => (block['toolResult'] ? [String(inner(block, 'toolResult')['toolUseId'])] : [])),
  roleOf: (row) => String(row['role']),
  alternates: true,
}

/** Ids are names here: the dialect has no others. */
const gemini: Writer = {
  format: 'gemini',
  user: (value) => ({ role: 'user', parts: [{ text: value }] }),
  says: (value, calls) => [
    {
      role: 'model',
      parts: [
        ...(value === '' ? [] : [{ text: value }]),
        ...calls.map((call) => ({ functionCall: { name: call.name, args: args(call) } })),
      ],
    },
  ],
  results: (calls) => [
    {
      role: 'user',
      parts: calls.map(({ name, result, failed }) => ({
        functionResponse: { name, response: failed ? { error: result } : { output: result } },
      })),
    },
  ],
  called: (row) =>
    blocks(row, 'parts').flatMap((part) => (part['functionCall'] ? [String(inner(part, 'functionCall')['name'])] : [])),
  answered: (row) =>
    blocks(row, 'parts').flatMap((part) =>
      part['functionResponse'] ? [String(inner(part, 'functionResponse')['name'])] : [],
    ),
  roleOf: (row) => (row['role'] === 'model' ? 'assistant' : String(row['role'])),
  alternates: false,
}

type Wrap = (fields: Message) => Message
type Open = (row: Message) => Message

const langchain = (wrap: Wrap, open: Open): Writer => ({
  format: 'langchain',
  user: (content) => wrap({ type: 'human', content }),
  says: (content, calls) => [
    wrap({
      type: 'ai',
      content,
      tool_calls: calls.map((call) => ({ id: call.id, name: call.name, args: args(call), type: 'tool_call' })),
    }),
  ],
  results: (calls) =>
    calls.map(({ id, name, result, failed }) =>
      wrap({ type: 'tool', content: result, tool_call_id: id, name, status: failed ? 'error' : 'success' }),
    ),
  called: (row) => blocks(open(row), 'tool_calls').map((call) => String(call['id'])),
  answered: (row) => (open(row)['type'] === 'tool' ? [String(open(row)['tool_call_id'])] : []),
  roleOf: (row) => ({ human: 'user', ai: 'assistant', tool: 'tool' })[String(open(row)['type'])] ?? 'other',
  alternates: false,
})

const CLASSES: Readonly<Record<string, string>> = { human: 'HumanMessage', ai: 'AIMessage', tool: 'ToolMessage' }

/** Every dialect that is read, LangChain in its three forms. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  openai,
  anthropic,
  responses,
  vercel,
  bedrock,
  gemini,
  'langchain, flat': langchain(
    (fields) => fields,
    (row) => row,
  ),
  'langchain, data': langchain(
    (fields) => ({ type: fields['type'], data: fields }),
    (row) => inner(row, 'data'),
  ),
  'langchain, lc': langchain(
    ({ type, ...kwargs }) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', CLASSES[String(type)]],
      kwargs,
    }),
    (row) => {
      const name = String((row['id'] as unknown[]).at(-1))
      return { ...inner(row, 'kwargs'), type: Object.keys(CLASSES).find((type) => CLASSES[type] === name) }
    },
  ),
}

export function tell(writer: Writer, steps: readonly Step[]): Message[] {
  return steps.flatMap((step) => {
    if ('user' in step) return [writer.user(step.user)]
    const calls = 'calls' in step ? step.calls : []
    return [...writer.says(step.say, calls), ...(calls.length === 0 ? [] : writer.results(calls))]
  })
}

/** Complaints about pairs and the order of roles, by the rules of the dialect's provider. */
export function brokenRules(writer: Writer, rows: readonly Message[]): string[] {
  const faults: string[] = []
  let open: string[] = []
  rows.forEach((row, at) => {
    const answered = writer.answered(row)
    if (answered.length === 0 && open.length > 0 && writer.format !== 'responses')
      faults.push(`row ${at}: no result for ${open.join()}`)
    for (const id of answered) {
      const place = open.indexOf(id)
      if (place < 0) faults.push(`row ${at}: a result without a call, ${id}`)
      else open.splice(place, 1)
    }
    open = [...open, ...writer.called(row)]
    const before = rows[at - 1]
    if (writer.alternates && before !== undefined && writer.roleOf(before) === writer.roleOf(row))
      faults.push(`row ${at}: ${writer.roleOf(row)} again`)
  })
  if (open.length > 0) faults.push(`end: no result for ${open.join()}`)
  const [first] = rows
  if (first !== undefined && writer.roleOf(first) !== 'user') faults.push(`row 0 is of ${writer.roleOf(first)}`)
  return faults
}
