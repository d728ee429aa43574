import { describe, expect, it } from 'vitest'
import { hasChromium } from './chromium.ts'
import { EXAMPLE_SESSION, run, setUpPlayground } from './playground-page.ts'
import { SUMMARY } from './stub-compaction.ts'

describe.skipIf(!hasChromium)('the result of a run in a browser (skipped without Chromium)', () => {
  const { stub, visit } = setUpPlayground()

  it('shows a newcomer a whole compaction after one click', async () => {
    const page = await visit()
    await page.click('#example')
    await page.waitForSelector('.entries')
    expect(stub().seen[0]).toMatchObject({ text: EXAMPLE_SESSION, headers: { 'content-type': 'application/x-ndjson' } })
    expect(await page.textContent('.summary-text')).toBe(`${SUMMARY}\n`)
    expect(await page.textContent('.outcome h2')).toMatch(/^[\d,]+ → [\d,]+ tokens \(−\d+ %\)$/)
    for (const title of ['Tokens', 'Audit', 'Calls', 'Warnings', 'Entry to append'])
      expect(await page.locator('h2').getByText(title, { exact: true }).count(), title).toBe(1)
    expect(await page.textContent('.calls')).toContain('rate_limited')
    expect(await page.textContent('.audit')).toContain('src/export/flush.js')
  })

  it('draws the cut between the last summarised row and the first kept one', async () => {
    const page = await visit()
    await page.click('#example')
    const rows = await page.locator('.coverage tbody tr').evaluateAll((all) => all.map((row) => String(row.className)))
    const cut = rows.indexOf('line cut')
    expect(rows.slice(cut + 1)).toEqual(['fate-kept', 'fate-kept', 'fate-kept', 'fate-kept'])
    expect(rows[cut - 1]).toBe('fate-turn-prefix')
    expect(rows.length - 1).toBe(EXAMPLE_SESSION.trimEnd().split('\n').length)
    const legend = await page.locator('.legend b').allTextContents()
    expect(legend).toEqual(['summarized', 'turn-prefix', 'pruned', 'kept', 'ignored'])
  })

  it('shows events while they come, and text of a failed attempt no longer', async () => {
    stub().mood = 'hang'
    const page = await visit()
    await page.click('#example')
    await page.waitForSelector('.log li:nth-child(7)')
    expect(await page.textContent('.draft')).toBe('## Goal\nFind out')
    expect(await page.getAttribute('#results', 'aria-busy')).toBe('true')
    await page.click('#stop')
    await page.waitForSelector('#progress .done')
    expect(await page.textContent('#progress summary')).toContain('Stopped by you')
    await expect.poll(() => stub().aborted).toBe(1)
  })

  it('says that nothing is known when a stream breaks off', async () => {
    stub().mood = 'break-off'
    const page = await visit()
    await page.click('#example')
    expect(await page.textContent('.problem')).toContain('unexpected-answer')
  })

  it('shows a problem with detail, code, request id and faults, and none of it as markup', async () => {
    stub().mood = {
      problem: {
        status: 400,
        title: 'The request does not fit its schema',
        detail: '/settings: <img src=x onerror=alert(1)>',
        code: 'invalid-request',
        retryable: false,
        instance: 'urn:request:req-0001',
        errors: [{ path: '/settings', message: 'expected an object' }],
      },
    }
    const page = await visit()
    await run(page, EXAMPLE_SESSION, 'check')
    const text = await page.textContent('.problem')
    for (const word of ['invalid-request', 'req-0001', '400', '/settings expected an object', '<img src=x'])
      expect(text).toContain(word)
    expect(await page.locator('.problem img').count()).toBe(0)
  })

  it('shows the answers of the endpoints that ask no model', async () => {
    const page = await visit()
    const words = { check: 'Compact now (threshold)', prune: '1 tool result can go', context: '22 messages' }
    for (const [endpoint, title] of Object.entries(words)) {
      await run(page, EXAMPLE_SESSION, endpoint)
      await page.getByRole('heading', { name: title }).waitFor()
    }
  })

  it.each(['light', 'dark'] as const)('fits a width of 400 pixels in the %s scheme', async (colorScheme) => {
    const page = await visit({ viewport: { width: 400, height: 800 }, colorScheme })
    await page.click('#example')
    await page.waitForSelector('.entries')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    // The result lies below the form there; the page goes to it by itself.
    expect(await page.evaluate('scrollY')).toBeGreaterThan(300)
  })

  it('copies the summary as it is', async () => {
    const page = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.click('#example')
    await page.click('.summary [data-copy]')
    await page.waitForSelector('text=Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(SUMMARY)
  })
})
