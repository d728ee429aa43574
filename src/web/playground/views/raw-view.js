import { copyButton } from '../../copy-button.js'
import { element } from '../../element.js'
import { bytes } from '../../format.js'

/** More than this makes a page slow; the copy button still copies all. */
const SHOWN_CHARS = 200_000

/**
 * JSON behind a fold, written out only when somebody opens it.
 * @param {string} title
 * @param {unknown} json
 */
export function rawView(title, json) {
  const pre = element('pre', {})
  const details = element('details', { className: 'raw panel' }, element('summary', {}, title), pre)
  details.addEventListener(
    'toggle',
    () => {
      const text = JSON.stringify(json, null, 2)
      const cut = text.length > SHOWN_CHARS
      pre.textContent = cut ? `${text.slice(0, SHOWN_CHARS)}\n\u2026` : text
      const note = cut ? [element('span', { className: 'muted' }, `The first part of ${bytes(text.length)}.`)] : []
      pre.before(
        element(
          'div',
          { className: 'row' },
          copyButton('Copy JSON', () => text),
          ...note,
        ),
      )
    },
    { once: true },
  )
  return details
}
