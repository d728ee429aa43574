import { describe, expect, it } from 'vitest'
import { hasChromium } from './chromium.ts'
import { drop, EXAMPLE_SESSION, run, setUpPlayground } from './playground-page.ts'

const LIST = JSON.stringify(['system', 'user', 'assistant', 'user'].map((role) => ({ role, content: `${role} says` })))

describe.skipIf(!hasChromium)('the input of the playground in a browser (skipped without Chromium)', () => {
  const { stub, visit } = setUpPlayground()

  it('asks /branch-summary for a target, and shows what is left behind', async () => {
    const page = await visit()
    await page.fill('#source', EXAMPLE_SESSION)
    await page.click('label[for=endpoint-branch-summary]')
    await page.click('#run')
    expect(await page.textContent('#form-fault')).toContain('Choose the entry')
    expect(await page.evaluate('document.activeElement?.id')).toBe('targetId')
    await page.selectOption('#targetId', { index: 3 })
    await page.click('#run')
    expect(await page.textContent('#result .coverage')).toContain('5 entries left behind')
    expect(stub().seen[0]?.query['oldLeafId']).toBe(JSON.parse(EXAMPLE_SESSION.trimEnd().split('\n').at(-1) ?? '').id)
  })

  it('compacts a message list and goes to /summarize for a text', async () => {
    const page = await visit()
    await run(page, LIST)
    expect(await page.textContent('#source-note')).toBe('Message list (openai): 4 messages.')
    expect(await page.locator('.line.head-end').count()).toBe(1)
    await run(page, 'We moved the tests.')
    await page.waitForSelector('.badge.warn')
    expect(stub().seen.map(({ path }) => path)).toEqual(['/compact', '/summarize'])
    expect(JSON.parse(stub().seen[1]?.text ?? '')['prompt']).toContain('<conversation>\nWe moved the tests.\n')
  })

  it('sends the key in its header only, and shows it nowhere', async () => {
    const page = await visit()
    await page.fill('#key', 'very-secret')
    await run(page, EXAMPLE_SESSION)
    await page.click('#curl summary')
    await expect.poll(() => page.textContent('#curl-text')).toContain('-H "x-api-key: $RECAPD_KEY"')
    expect(await page.textContent('body')).not.toContain('very-secret')
    expect(stub().seen[0]?.headers['x-api-key']).toBe('very-secret')
    expect(stub().seen[0]?.path).not.toContain('very-secret')
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(0)
  })

  it('opens a dropped file, and holds a big one in memory instead of the text field', async () => {
    const page = await visit()
    await drop(page, EXAMPLE_SESSION, 'small.jsonl')
    await page.waitForSelector('#source-note:text("Session file: 24 entries")')
    const big = `${EXAMPLE_SESSION}${JSON.stringify({ type: 'custom', id: 'x', data: 'y'.repeat(500_000) })}\n`
    await drop(page, big, 'big.jsonl')
    await page.waitForSelector('#big-file:not([hidden])')
    expect(await page.textContent('#big-file')).toContain('big.jsonl')
    await page.click('#run')
    await page.waitForSelector('#progress .done')
    expect(stub().seen[0]?.text).toBe(big)
    await page.click('#clear')
    expect(await page.isVisible('#source')).toBe(true)
  })

  it('forgets the small limits of the example when another input comes', async () => {
    const page = await visit()
    await page.click('#example')
    await page.waitForSelector('.entries')
    expect(await page.inputValue('#protectTokens')).toBe('300')
    await page.click('#clear')
    for (const field of ['contextWindow', 'keepRecentTokens', 'protectTokens', 'minimumSavings'])
      expect(await page.inputValue(`#${field}`), field).toBe('')
  })

  it('works from the keyboard alone', async () => {
    const page = await visit()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the result')
    await page.focus('#source')
    await page.keyboard.insertText(EXAMPLE_SESSION)
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('.entries')
    await page.focus('#endpoint-compact')
    await page.keyboard.press('ArrowRight')
    expect(await page.isChecked('#endpoint-summarize')).toBe(true)
    await page.keyboard.press('Control+Enter')
    expect(await page.textContent('#source-fault')).toContain('/summarize takes plain text')
  })
})
