import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

interface PagesOptions {
  readonly docs: boolean
  readonly access: 'open' | 'key'
}

const FOLDER = fileURLToPath(new URL('../../web/', import.meta.url))
const PAGES: Readonly<Record<string, string>> = { 'playground.html': '/', 'docs.html': '/docs' }
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Everything a page loads comes from this service; nothing inline, nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The playground and the API reference (docs/spec/contract.md §7): the files of src/web, read once. Where pages need a key, a browser
 * brings it in the path (`/k/<key>/docs`); scripts and styles say nothing about a service and need none.
 */
export function pagesRoutes(app: FastifyInstance, { docs, access }: PagesOptions): void {
  if (!docs) return
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[path.extname(file)]
    if (type === undefined) continue
    const body = readFileSync(path.join(FOLDER, file))
    const page = PAGES[file]
    const address = page ?? `/assets/${file.split(path.sep).join('/')}`
    app.get(address, { config: { access: page === undefined ? 'open' : access } }, async (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': PAGE_POLICY,
          'cache-control': 'no-cache',
        })
        .send(body),
    )
  }
}
