import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'
import { hasChromium, launch, type OpenPage, openPage } from './chromium.ts'
import { drop } from './playground-page.ts'

const EXAMPLES = path.resolve(import.meta.dirname, '../../../examples')

describe.skipIf(!hasChromium)('files dropped on the playground of a real service (skipped without Chromium)', () => {
  let service: ServiceProcess
  let browser: Browser
  let open: OpenPage
  beforeAll(async () => {
    service = await startServiceProcess({})
    browser = await launch()
    open = await openPage(browser, service.url)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each([
    ['session.jsonl', 'Session file: 15 entries.', 'a pi or omp session'],
    ['reads/claude-code.jsonl', 'Claude Code transcript: 13 lines.', 'a Claude Code transcript'],
    ['reads/codex.jsonl', 'Codex rollout: 20 lines.', 'a Codex rollout'],
    ['reads/one-message-a-line.jsonl', 'Message list (openai): 12 messages.', 'a message list'],
    ['reads/openai-chat.json', 'Message list (openai): 12 messages.', 'a message list'],
    ['reads/anthropic-messages.json', 'Message list (anthropic): 12 messages.', 'a message list'],
    ['reads/openai-responses.json', 'Message list (responses): 15 messages.', 'a message list'],
    ['reads/openai-agents-sdk.json', 'Message list (responses): 15 messages.', 'a message list'],
    ['reads/vercel-ai-sdk.json', 'Message list (vercel): 12 messages.', 'a message list'],
    ['reads/gemini-contents.json', 'Message list (gemini): 12 messages.', 'a message list'],
    ['reads/bedrock-converse.json', 'Message list (bedrock): 12 messages.', 'a message list'],
    ['reads/langchain-messages.json', 'Message list (langchain): 12 messages.', 'a message list'],
    ['reads/langchain-stored.json', 'Message list (langchain): 12 messages.', 'a message list'],
    ['reads/langchain-serialized.json', 'Message list (langchain): 12 messages.', 'a message list'],
  ])('%s: %s', async (file, note, readAs) => {
    const { page, faults } = open
    await page.goto('/')
    await drop(page, readFileSync(path.join(EXAMPLES, file), 'utf8'), path.basename(file))
    await page.waitForSelector(`#source-note:text-is(${JSON.stringify(note)})`)
    await page.fill('#contextWindow', '8000')
    if (file === 'session.jsonl') await page.fill('#keepRecentTokens', '150')
    else {
      await page.fill('#protectFirst', '0')
      await page.fill('#protectLast', '3')
    }
    await page.click('#run')
    await page.waitForSelector('#progress .done')
    expect(await page.locator('.problem').count()).toBe(0)
    expect(await page.textContent('.read-as')).toBe(`Read as ${readAs}.`)
    expect(await page.textContent('.outcome h2')).toMatch(/^[\d,]+ → [\d,]+ tokens \(−\d+ %\)$/)
    expect(await page.textContent('.summary-text')).toContain('rate-limit.ts')
    expect(faults).toEqual([])
  })
})
