import type { Loose } from './codec.ts'
import { CODECS } from './codecs.ts'
import { contentText } from './content-text.ts'
import { dropEmptyAnswers, sanitizePairs } from './pairs.ts'
import { type Row, roleOf } from './row.ts'
import { isRowPart, type RowPart } from './row-part.ts'

/** The dialects that a list of any other can be turned into. */
export type ConvertedDialect = 'openai' | 'anthropic'

/**
 * A list of any dialect as messages of another: words, calls, results and media. Thinking is sealed for the provider that
 * made it and stays after; what a provider ran, and what nobody knows, is described in words.
 */
export function convertRows(rows: readonly Row[], target: ConvertedDialect): readonly Loose[] {
  const whole = dropEmptyAnswers(sanitizePairs(rows).rows).rows
  return CODECS[target].write(
    whole.flatMap((row) => neutralRow(row, target)),
    [],
  )
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'tool', 'system'])

function neutralRow(row: Row, target: ConvertedDialect): Row[] {
  const { index, message } = row
  const { tool_calls, tool_call_id, is_error } = message
  const role = roleIn(target, roleOf(message))
  const content = neutralContent(message.content)
  if (content === '' && tool_calls === undefined && role !== 'tool') return []
  const isMarked = is_error === true && target === 'anthropic'
  const view = {
    role,
    content: content === '' && tool_calls !== undefined ? null : content,
    tool_calls,
    tool_call_id: role === 'tool' ? tool_call_id : undefined,
    is_error: isMarked || undefined,
  }
  // Another object than the view: a row without a source is written anew.
  return [{ index, message: view, original: {} }]
}

/** Instructions in the middle of a list are the user's side in the Messages API; rows without a role are told by it. */
function roleIn(target: ConvertedDialect, role: string): string {
  const known = role === 'developer' ? 'system' : ROLES.has(role) ? role : 'user'
  return target === 'anthropic' && known === 'system' ? 'user' : known
}

function neutralContent(content: unknown): string | readonly RowPart[] {
  if (!Array.isArray(content)) return contentText(content)
  const parts = content.filter(isRowPart).flatMap(neutralPart)
  return parts.some((part) => part.type === 'media') ? parts : contentText(parts)
}

function neutralPart(part: RowPart): RowPart[] {
  switch (part.type) {
    case 'media':
      return [{ ...part, from: undefined }]
    case 'ran-call':
      return [{ type: 'text', text: `[${part.name} ${part.args}]` }]
    case 'ran-result':
      return part.text === '' ? [] : [{ type: 'text', text: `[result: ${part.text}]` }]
    case 'thinking':
    case 'note':
      return []
    default:
      return [{ type: 'text', text: contentText([part]) }]
  }
}
