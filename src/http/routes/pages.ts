import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../plugins/not-found.ts'

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
export function pagesRoutes(app: FastifyInstance, { docs, access }: PagesOptions): void {
  if (!docs) return
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.relative(FOLDER, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    const page = PAGES[file]
    app.get(page ?? `/assets/${file}`, { config: { access: page === undefined ? 'open' : access } }, (request, reply) =>
      sendFile(file, { request, reply }),
    )
  }
}

async function sendFile(
  file: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  // With the first page: thirty modules that a service nobody looks at in a browser does without.
  const { send } = await import('@fastify/send')
  const { type, statusCode, headers, stream } = await send(request.raw, file, SENDING)
  if (type !== 'file') throw notFound()
  // The library's own word for scripts is obsolete (RFC 9239).
  if (file.endsWith('.js')) headers['Content-Type'] = 'text/javascript; charset=utf-8'
  return reply
    .code(statusCode)
    .headers({ ...headers, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
    .send(stream)
}

const SENDING = { root: FOLDER, cacheControl: false, acceptRanges: false } as const
