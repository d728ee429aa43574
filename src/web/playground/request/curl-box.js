import { copyButton } from '../../copy-button.js'
import { byId } from '../../element.js'
import { curlCommand } from './curl-command.js'
/** @import { BuiltRequest } from '../shapes.js' */

/**
 * The folded curl line below the form. `requestOf()` gives `{request, hasKey, fileName}` of the form as it stands.
 * @param {() => { readonly request: BuiltRequest, readonly hasKey: boolean, readonly fileName: string | null }} requestOf
 */
export function curlBox(requestOf) {
  const box = byId('curl', HTMLDetailsElement)
  const place = byId('curl-text')
  let body = ''

  function refresh() {
    if (!box.open) return
    const { request, hasKey, fileName } = requestOf()
    body = request.fault === undefined ? request.body : ''
    place.textContent =
      request.fault === undefined
        ? curlCommand({ origin: location.origin, request, hasKey, fileName })
        : `# ${request.fault.message}`
  }

  box.addEventListener('toggle', refresh)
  byId('curl-actions').append(
    copyButton('Copy command', () => place.textContent ?? ''),
    copyButton('Copy body', () => body),
  )
  return { refresh }
}
