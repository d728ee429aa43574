import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const found = PLACES.find((place) => existsSync(place))

/** False: the tests that need a browser are skipped, and say so where nobody overlooks it. */
export const hasChromium = found !== undefined
if (!hasChromium) console.warn(`BROWSER TESTS SKIPPED: no Chromium at ${PLACES.join(', ')} (apt-get install chromium)`)

/** Flags that keep the browser from talking to anybody but the stub. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: found ?? '', args: ['--no-sandbox', ...QUIET] })
}

export interface OpenPage {
  readonly page: Page
  /** Console errors, page errors and requests to other places; a good page has none. */
  readonly faults: string[]
}

/** A page in a context of its own. Whatever it complains of, or asks of anybody else, is a fault. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ baseURL: origin, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    // Chromium reports every answer of 400 and more here; those are the subject of some tests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      faults.push(`foreign: ${request.url()}`)
  })
  return { page, faults }
}
