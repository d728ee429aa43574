import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, launch, type OpenPage, openPage } from './chromium.ts'
import { type StubService, startStub } from './stub-service.ts'

let stub: StubService
let browser: Browser
let open: OpenPage

async function visit(hash = '', width = 1280): Promise<Page> {
  await open.page.setViewportSize({ width, height: 800 })
  // Without the detour a new hash would not load the page anew.
  await open.page.goto('about:blank')
  await open.page.goto(`/docs${hash}`)
  await open.page.waitForSelector('.operation')
  return open.page
}

describe.skipIf(!hasChromium)('the API reference in a browser (skipped without Chromium)', () => {
  beforeAll(async () => {
    stub = await startStub()
    browser = await launch()
    open = await openPage(browser, stub.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await stub?.stop()
  })
  afterEach(() => {
    expect(open.faults.splice(0)).toEqual([])
  })

  it('groups endpoints by tag and lists them aside', async () => {
    const page = await visit()
    expect(await page.locator('.group h2').allTextContents()).toEqual(['sessions', 'operations', 'Error codes'])
    expect(await page.locator('#contents li').allTextContents()).toEqual(['POST/compact', 'GET/livez'])
  })

  it('shows fields with type, default, values and required mark, the required ones first', async () => {
    const page = await visit()
    const fields = page
      .locator('#post-compact ~ .columns .media')
      .first()
      .locator('.fields')
      .first()
      .locator(':scope > li')
    expect(await fields.locator('.name').first().textContent()).toBe('entries')
    expect(await fields.first().textContent()).toContain('Node[]required')
    const reason = await fields.filter({ hasText: 'reason' }).textContent()
    for (const word of ['default "manual"', '"threshold"', 'Why now.']) expect(reason).toContain(word)
  })

  it('unfolds a schema that holds itself as deep as somebody asks', async () => {
    const page = await visit()
    for (let depth = 0; depth < 3; depth++)
      await page.locator('details.inner:not([open]) > summary', { hasText: '2 fields' }).first().click()
    await page.waitForSelector('details.inner details.inner details.inner')
  })

  it('shows a curl command for both media types, an example answer and the error codes', async () => {
    const page = await visit()
    const samples = await page.locator('#post-compact ~ .columns .sample').allTextContents()
    expect(samples[0]).toContain(`curl -sS ${stub.origin}/compact`)
    expect(samples[1]).toContain('@session.jsonl')
    expect(samples[2]).toContain('"compacted": true')
    expect(await page.locator('.error-codes tbody tr').count()).toBe(3)
  })

  it('goes to the anchor of its address once the page is written', async () => {
    const page = await visit('#error-no-entries')
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0)
    expect(await page.locator('#error-no-entries').isVisible()).toBe(true)
  })

  it('filters by path, nested field or error code, and says when nothing matches', async () => {
    const page = await visit()
    const visible = async () => await page.locator('.operation:visible h3 code').allTextContents()
    await page.keyboard.press('/')
    await page.keyboard.type('protectTokens')
    expect(await visible()).toEqual(['/compact'])
    expect(await page.locator('.group:visible').count()).toBe(1)
    await page.fill('#filter', 'livez')
    expect(await visible()).toEqual(['/livez'])
    await page.fill('#filter', 'zebra')
    expect(await page.textContent('#filter-note')).toBe('Nothing matches.')
    await page.fill('#filter', '')
    expect((await visible()).length).toBe(2)
  })

  it('fits a width of 400 pixels', async () => {
    const page = await visit('', 400)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  })

  it('points to openapi.yaml when the description cannot be read', async () => {
    const page = await visit()
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.reload()
    expect(await page.textContent('[role=alert]')).toContain('HTTP 503')
    expect(await page.getAttribute('[role=alert] a', 'href')).toBe('/openapi.yaml')
  })
})
