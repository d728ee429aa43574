import { element } from './element.js'

const SHOWN_MS = 1600

/**
 * A button that copies what `textOf` gives at that moment. Where the clipboard is closed (plain http), it says so.
 * @param {string} label
 * @param {() => string} textOf
 */
export function copyButton(label, textOf) {
  const button = element('button', { type: 'button', className: 'quiet', dataset: { copy: '' } }, label)
  button.addEventListener('click', async () => {
    const done = await copy(textOf())
    button.textContent = done ? 'Copied' : 'Copy failed'
    setTimeout(() => {
      button.textContent = label
    }, SHOWN_MS)
  })
  return button
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/**
 * Browsers offer navigator.clipboard on https and localhost only; a service on a LAN address has just this.
 * @param {string} text
 */
function copyBySelection(text) {
  const area = element('textarea', { value: text, className: 'unseen' })
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
