import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { webModule } from '../../support/web-module.ts'
import { launch, type OpenPage, openPage } from './chromium.ts'
import { type StubService, startStub } from './stub-service.ts'

export const { EXAMPLE_SESSION } = await webModule<{ EXAMPLE_SESSION: string }>('playground/source/example-session.js')

interface Playground {
  /** The stub of the running test; nothing is in it before `beforeAll`. */
  stub(): StubService
  /** Opens the page: anew in the shared context, or with options in one of its own. */
  visit(options?: BrowserContextOptions): Promise<Page>
}

/** Starts stub and browser for the tests of one `describe`, and asks of every page that it had no fault of its own. */
export function setUpPlayground(): Playground {
  let stub: StubService
  let browser: Browser
  let shared: OpenPage
  let open: OpenPage
  beforeAll(async () => {
    stub = await startStub()
    browser = await launch()
    shared = await openPage(browser, stub.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await stub?.stop()
  })
  beforeEach(() => Object.assign(stub, { mood: 'well', aborted: 0 }).seen.splice(0))
  afterEach(async () => {
    // A page that met its content security policy, another host or a fault of its own says so here.
    expect(open.faults.splice(0)).toEqual([])
    if (open !== shared) await open.page.context().close()
  })
  return {
    stub: () => stub,
    async visit(options) {
      open = options === undefined ? shared : await openPage(browser, stub.origin, options)
      await open.page.goto('/')
      return open.page
    },
  }
}

/** Types or pastes, chooses an endpoint, runs, and waits for the end. */
export async function run(page: Page, text: string, endpoint?: string): Promise<void> {
  await page.fill('#source', text)
  if (endpoint !== undefined) await page.click(`label[for=endpoint-${endpoint}]`)
  await page.click('#run')
  await page.waitForSelector('#progress .done')
}

/** Drops a file on the page. As text, since tsc knows no DOM here. */
export const drop = (page: Page, text: string, name: string) =>
  page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
