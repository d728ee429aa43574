/** @import { Sendable } from '../shapes.js' */

/** Bodies up to this stand in the command itself. */
const INLINE_CHARS = 1500

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The curl command that sends the same request. The key is never in it: it is read from $RECAPD_KEY. `fileName` is what the
 * dropped file was called.
 * @param {{ readonly origin: string, readonly request: Sendable, readonly hasKey: boolean, readonly fileName: string | null }} line
 */
export function curlCommand({ origin, request, hasKey, fileName }) {
  const inline = request.contentType === 'application/json' && request.body.length <= INLINE_CHARS
  const lines = [
    `curl -sS ${quoted(origin + request.path)}`,
    `-H 'content-type: ${request.contentType}'`,
    ...(hasKey ? ['-H "x-api-key: $RECAPD_KEY"'] : []),
    inline ? `--data-binary ${quoted(request.body)}` : `--data-binary @${safeName(fileName ?? request.file)}`,
  ]
  return lines.join(' \\\n  ')
}

/**
 * A file name is somebody else's text; in a shell line only harmless ones stand bare.
 * @param {string} name
 */
const safeName = (name) => (/^[\w.-]+$/.test(name) ? name : quoted(name))
