import { describe, expect, it } from 'vitest'
import { asksForSummary, ordersSummary } from '../../../../src/domain/text/structure/summary-request.ts'

describe('asksForSummary', () => {
  it.each([
    'Please provide a concise summary of our conversation so far, capturing the key context.',
    'Provide a detailed prompt for continuing our conversation above.',
    'First, reason in your scratchpad. Then, generate the <state_snapshot>.',
    'CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of the conversation so far.',
    'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM.',
    'You are compacting this conversation into a handoff for another agent that will resume the work.',
    'Summarize this session for continuation.',
    'CRITICAL: This summarization request is a SYSTEM OPERATION',
    'Fasse das bisherige Gespräch zusammen: eine Zusammenfassung für den nächsten Agenten.',
    'Fasse unser bisheriges Gespräch bitte zusammen.',
    'Write a handoff note for the next agent that summarises our work.',
    'Resume la conversación hasta ahora.',
    '请总结以上对话。',
    'これまでの会話を要約してください。 会话',
    'Сделай краткое изложение этого разговора.',
  ])('is true for %j', (text) => {
    expect(asksForSummary(text)).toBe(true)
  })

  it.each([
    'Fass den Verlauf nicht an',
    'Rename the key file to signer.key',
    'Summarize what src/a.ts exports',
    'Fix the session store',
    'ok',
  ])('is false for %j', (text) => {
    expect(asksForSummary(text)).toBe(false)
  })
})

describe('ordersSummary', () => {
  it.each(['Summarise.', 'Write a recap of it', 'Use exactly these headings:'])('is true for %j', (text) => {
    expect(ordersSummary(text)).toBe(true)
  })
  it.each(['Now fix test/auth.test.ts', 'Create a file', 'The sections are fine'])('is false for %j', (text) => {
    expect(ordersSummary(text)).toBe(false)
  })
})
