import { defined } from '../defined.js'
import { byId, element } from '../element.js'

/** @typedef {{ readonly version?: string, readonly mode?: string, readonly data?: readonly { readonly id: string }[] }} Status */

/**
 * @param {string} path
 * @returns {Promise<{ readonly ok: boolean, readonly json: Status }>}
 */
async function jsonOf(path, key = '') {
  const response = await fetch(path, { headers: defined({ 'x-api-key': key || undefined }) })
  return response.headers.get('content-type')?.includes('json')
    ? { ok: response.ok, json: await response.json() }
    : { ok: false, json: {} }
}

/**
 * @param {{ readonly ok: boolean, readonly json: Status }} ready
 * @param {Status} version
 */
function wordsOf(ready, version) {
  const name = version.version ? `v${version.version}` : ''
  if (!ready.ok) return { text: `${name} not ready`, state: 'bad' }
  if (ready.json.mode === 'degraded') return { text: `${name} ready, without a language model`, state: 'warn' }
  return { text: `${name} ready`, state: 'good' }
}

/** Says in the page's head whether the service takes work, and with which kind of model. */
export async function showServiceStatus() {
  const place = byId('service')
  try {
    const [ready, version] = await Promise.all([jsonOf('/readyz'), jsonOf('/version')])
    const { text, state } = wordsOf(ready, version.json)
    place.replaceChildren(element('span', { className: `dot ${state}`, aria: { hidden: true } }), text.trim())
  } catch {
    place.replaceChildren(element('span', { className: 'dot bad', aria: { hidden: true } }), 'cannot be reached')
  }
}

/**
 * Offers the configured models in the Model field. Without a right to list them it stays a plain field.
 * @param {string} key
 */
export async function offerModels(key) {
  const answer = await jsonOf('/v1/models', key).catch(() => undefined)
  if (!answer?.ok || answer.json.data === undefined) return
  byId('models').replaceChildren(...answer.json.data.map(({ id }) => element('option', { value: id })))
}
