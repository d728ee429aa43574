import { byId, element } from '../../element.js'
import { bytes, count, counted } from '../../format.js'
import { readSource } from './read-source.js'

/** @import { Source } from '../shapes.js' */

/** A text field of many MB makes every keystroke slow; larger files are held beside it. */
const FIELD_CHARS = 400_000
const SETTLE_MS = 150

/** @param {Source} source */
function noteOf(source) {
  switch (source.kind) {
    case 'session': {
      const skipped = source.skipped > 0 ? `, ${counted(source.skipped, 'line')} skipped` : ''
      return `Session file: ${counted(source.rows.length, 'entry', 'entries')}${skipped}.`
    }
    case 'transcript': {
      const skipped = source.skipped > 0 ? `, ${counted(source.skipped, 'line')} skipped` : ''
      return `${source.agent}: ${counted(source.lines, 'line')}${skipped}.`
    }
    case 'messages':
      return `Message list (${source.dialect}): ${counted(source.rows.length, 'message')}.`
    case 'prompt':
      return 'A /summarize body.'
    case 'text':
      if (source.foreign)
        return 'JSON lines, but no session file of a known agent and no list of messages: taken as plain text.'
      return source.brokenJson
        ? 'This starts like JSON but is not valid, so it counts as plain text.'
        : `Plain text, ${count(source.text.length)} characters; sent inside a <conversation> block.`
    default:
      return 'Drop a file anywhere on this page.'
  }
}

/**
 * The input: pasted, dropped or opened. `current()` gives `{source, fileName}`; `onChange` is told after every change.
 * @param {(source: Source) => void} onChange
 */
export function sourceBox(onChange) {
  const field = byId('source', HTMLTextAreaElement)
  const note = byId('source-note')
  /** @type {{ source: Source, fileName: string | null }} */
  let held = { source: { kind: 'empty' }, fileName: null }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let typing = false

  /**
   * @param {string} text
   * @param {string | null} fileName
   */
  function take(text, fileName) {
    typing = false
    held = { source: readSource(text), fileName }
    note.textContent = noteOf(held.source)
    onChange(held.source)
  }

  /**
   * @param {string} text
   * @param {string | null} fileName
   */
  function show(text, fileName) {
    clearTimeout(timer)
    const big = text.length > FIELD_CHARS
    field.value = big ? '' : text
    field.hidden = big
    const chip = byId('big-file')
    chip.hidden = !big
    chip.replaceChildren(element('b', {}, fileName ?? 'Pasted text'), ` ${bytes(text.length)}, held in memory`)
    take(text, fileName)
  }

  field.addEventListener('input', () => {
    clearTimeout(timer)
    typing = true
    timer = setTimeout(
      () => (field.value.length > FIELD_CHARS ? show(field.value, null) : take(field.value, null)),
      SETTLE_MS,
    )
  })
  listenForFiles(show)
  byId('clear').addEventListener('click', () => {
    show('', null)
    field.focus()
  })

  return {
    show,
    current() {
      // Somebody may press Run before the pause after the last keystroke is over.
      if (typing) {
        clearTimeout(timer)
        take(field.value, null)
      }
      return held
    },
  }
}

/** @param {(text: string, fileName: string | null) => void} show */
function listenForFiles(show) {
  const input = byId('file', HTMLInputElement)
  const drop = byId('drop')
  /** @param {File | undefined} file */
  const read = async (file) => file && show(await file.text(), file.name)
  byId('open-file').addEventListener('click', () => input.click())
  input.addEventListener('change', async () => {
    await read(input.files?.[0])
    // The same file chosen again is a change again.
    input.value = ''
  })
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.classList.add('over')
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) drop.classList.remove('over')
  })
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) show(event.dataTransfer?.getData('text') ?? '', null)
    else read(file)
  })
}
