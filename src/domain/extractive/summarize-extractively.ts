import { promptConversation } from '../dialects/prompt-frames/prompt-conversation.ts'
import { ledger } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger-value.ts'
import { redact } from '../text/redact.ts'
import { withoutBullet } from '../text/sentences.ts'
import { neutralizeData } from '../text/structure/neutralize.ts'
import { bytesOfTokens } from '../tokens/text-tokens.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { type ParsedPrompt, parsePrompt } from '../transcript/parse-prompt.ts'
import { wantedHeadings } from './asked-headings.ts'
import { fillSections } from './fill-sections.ts'
import type { Room } from './fit-budget.ts'
import { halfOf, type SplitHalf } from './half-of.ts'
import type { Item } from './item.ts'
import { NOTICE } from './notice.ts'
import { rankedSentences } from './ranked-sentences.ts'
import { renderWithin } from './render-document.ts'
import { shortSentences } from './sections/short-form.ts'

const BRIEF_NOTICE = 'No language model.'
/** Without a cap: what the answer aims at and what it never passes (docs/spec/truth.md §5). */
const AIM_TOKENS = 1600
const MOST_TOKENS = 1900

/** What to summarise; `maxTokens` counts bytes / 4 of the answer and defaults to 2 000. */
export interface ExtractiveRequest {
  readonly prompt: string
  readonly maxTokens?: number | undefined
  readonly half?: SplitHalf | undefined
}

/**
 * Summarises without any model: quotes and counts, deterministic, linear, never over `maxTokens`, never blank. Obeys the
 * headings that the prompt's instructions ask for; secrets of the prompt are masked. Never throws.
 */
export function summarizeExtractively({ prompt, maxTokens, half }: ExtractiveRequest): string {
  const maxBytes = bytesOfTokens(Math.max(1, Math.floor(maxTokens ?? MOST_TOKENS)))
  // Masked before anything is cut, so that no half of a secret can pass (docs/spec/lists.md §6).
  const masked = redact(prompt.toWellFormed())
  const notice = utf8Length(NOTICE) * 6 <= maxBytes ? NOTICE : BRIEF_NOTICE
  const parsed = parsePrompt(masked)
  const text =
    parsed === null
      ? plainText(masked, notice, maxBytes)
      : conversationText(parsed, half, { notice, room: roomOf(maxBytes) })
  return text.trim() === '' ? BRIEF_NOTICE.slice(0, maxBytes) : text
}

/** A wide cap is room for long quotations, not for more of what is worth little. */
const roomOf = (most: number): Room => ({ most, aim: Math.min(most, bytesOfTokens(AIM_TOKENS)), newestShare: 4 })

function conversationText(
  parsed: ParsedPrompt,
  half: SplitHalf | undefined,
  { notice, room }: { readonly notice: string; readonly room: Room },
): string {
  const whole = ledger(promptConversation(parsed), {
    summary: parsed.previousSummary ?? '',
    durable: null,
  })
  const held = half === undefined ? whole : halfOf(whole, half)
  const headings = wantedHeadings(parsed.instructions)
  if (headings.length === 0)
    return lines(notice, shortOrFallback(held, parsed.conversation), { separator: ' ', maxBytes: room.most })
  const sections = fillSections(
    new Set(headings.filter((heading) => !heading.isParent).map((heading) => heading.kind)),
    held,
    (parsed.additionalContext ?? '')
      .split('\n')
      .map(withoutBullet)
      .filter((line) => line !== ''),
  )
  // Of two headings of one kind the first is filled.
  const take = (kind: Parameters<typeof sections.get>[0]): readonly Item[] => {
    const items = sections.get(kind) ?? []
    sections.delete(kind)
    return items.map((item) => ({ ...item, text: safe(item.text) }))
  }
  return renderWithin(
    notice,
    headings.map((heading) => ({ heading, items: heading.isParent ? [] : take(heading.kind) })),
    // Only the prompt of a turn prefix asks for so few headings; it is about the turn's request.
    headings.some(({ kind }) => kind === 'goal') ? room : { ...room, newestShare: 2 },
  )
}

/** Quoted text that no reader of the answer can take for more than text: secrets masked, tags of prompts and answers escaped. */
function safe(text: string): string {
  return neutralizeData(redact(text))
}

function shortOrFallback(held: Ledger, text: string): string[] {
  const sentences = shortSentences(held)
  if (sentences.length > 0) return sentences
  return held.goal === null ? rankedSentences(text, 1200).slice(0, 3) : [held.goal.text]
}

function plainText(text: string, notice: string, maxBytes: number): string {
  return lines(notice, rankedSentences(text, Math.max(0, maxBytes - utf8Length(notice) - 2)), {
    separator: ' ',
    maxBytes,
  })
}

/** The notice, a blank line, and as many whole sentences as the budget has room for. */
function lines(
  notice: string,
  sentences: readonly string[],
  { separator, maxBytes }: { readonly separator: string; readonly maxBytes: number },
): string {
  let text = utf8Length(notice) <= maxBytes ? notice : ''
  let isFirst = true
  for (const sentence of sentences.map(safe)) {
    const glue = text === '' ? '' : isFirst ? '\n\n' : separator
    if (utf8Length(text) + utf8Length(glue) + utf8Length(sentence) > maxBytes) continue
    text += glue + sentence
    isFirst = false
  }
  return text
}
