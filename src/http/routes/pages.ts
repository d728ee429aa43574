import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

interface PagesOptions {
  readonly docs: boolean
  readonly access: 'open' | 'key'
}

const FOLDER = fileURLToPath(new URL('../../web/', import.meta.url))
const PAGES: Readonly<Record<string, string>> = { 'playground.html': '/', 'docs.html': '/docs' }

/** Everything a page loads comes from this service; nothing inline, nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The playground and the API reference (docs/spec/contract.md §7): the files of src/web. Where pages need a key, a browser
 * brings it in the path (`/k/<key>/docs`); scripts and styles say nothing about a service and need none. Each file is a route
 * of its own, so that an address that leads nowhere is answered like any other.
 */
export async function pagesRoutes(app: FastifyInstance, { docs, access }: PagesOptions): Promise<void> {
  if (!docs) return
  await app.register(fastifyStatic, {
    root: FOLDER,
    serve: false,
    cacheControl: false,
    acceptRanges: false,
    // The library's own word for scripts is obsolete (RFC 9239).
    setHeaders: (reply, file) => file.endsWith('.js') && reply.header('content-type', 'text/javascript; charset=utf-8'),
  })
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.relative(FOLDER, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    const page = PAGES[file]
    app.get(
      page ?? `/assets/${file}`,
      { config: { access: page === undefined ? 'open' : access } },
      (_request, reply) =>
        reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' }).sendFile(file),
    )
  }
}
