import { byId, controlById } from '../element.js'
import { buildRequest } from './request/build-request.js'
import { curlBox } from './request/curl-box.js'
import { fittingEndpoint } from './request/endpoints.js'
import { sendRequest } from './request/send-request.js'
import {
  endpointChoice,
  fillSettings,
  offerEntries,
  settingValues,
  showFault,
  showFieldsOf,
} from './request/settings-form.js'
import { offerModels, showServiceStatus } from './service-status.js'
import { EXAMPLE_SESSION, EXAMPLE_VALUES } from './source/example-session.js'
import { sourceBox } from './source/source-box.js'
import { progressView } from './views/progress-view.js'
import { resultViews } from './views/result-views.js'

/**
 * @import { EndpointName, Kind, Outcome, Source, Stopped } from './shapes.js'
 * @type {EndpointName}
 */
let endpoint = 'compact'
/** @type {Kind} */
let kind = 'empty'
let exampleShown = false
/** @type {AbortController | null} */
let running = null

const choice = endpointChoice((name) => {
  endpoint = name
  showFieldsOf(name, kind)
  showFault(null)
  curl.refresh()
})

const box = sourceBox((source) => {
  kind = source.kind
  // The example's small limits would make little sense of anybody's own session.
  if (exampleShown && source.text !== EXAMPLE_SESSION) {
    exampleShown = false
    fillSettings({})
  }
  offerEntries(source)
  showFault(null)
  choice.choose(fittingEndpoint(endpoint, source.kind))
})

function requestNow() {
  const { source, fileName } = box.current()
  const request = buildRequest({ endpoint, source, values: settingValues() })
  return { request, source, fileName, hasKey: controlById('key').value !== '' }
}

const curl = curlBox(requestNow)

async function run() {
  if (running !== null) return
  const { request, source } = requestNow()
  showFault(request.fault ?? null)
  if (request.fault !== undefined) return
  const asked = endpoint
  const progress = progressView(`POST ${request.path.split('?')[0]}`)
  const stopping = new AbortController()
  running = stopping
  setRunning(true)
  byId('result').replaceChildren()
  byId('progress').replaceChildren(progress.node)
  const outcome = await sendRequest(
    { request, key: controlById('key').value.trim(), onEvent: progress.event },
    stopping.signal,
  )
  running = null
  setRunning(false)
  show(asked, outcome, source, progress)
}

/**
 * @param {EndpointName} asked
 * @param {Outcome | Stopped} outcome
 * @param {Source} source
 * @param {ReturnType<typeof progressView>} progress
 */
function show(asked, outcome, source, progress) {
  const words = outcome.stopped ? 'Stopped by you' : outcome.problem ? 'Failed' : 'Done'
  progress.finish(words)
  byId('announce').textContent = words
  if (outcome.stopped) return
  byId('result').replaceChildren(...resultViews(asked, outcome, source.rows ?? []))
  // On a narrow page the result lies below the form: go there. Beside the form there is nothing to do.
  const { top } = byId('results').getBoundingClientRect()
  if (top > innerHeight * 0.6) byId('results').scrollIntoView()
}

/** @param {boolean} on */
function setRunning(on) {
  byId('run', HTMLButtonElement).disabled = on
  byId('stop').hidden = !on
  byId('results').setAttribute('aria-busy', String(on))
}

byId('request').addEventListener('submit', (event) => {
  event.preventDefault()
  run()
})
byId('request').addEventListener('input', () => curl.refresh())
byId('stop').addEventListener('click', () => running?.abort())
byId('example').addEventListener('click', () => {
  endpoint = 'compact'
  fillSettings(EXAMPLE_VALUES)
  box.show(EXAMPLE_SESSION, null)
  exampleShown = true
  run()
})
byId('key').addEventListener('change', () => offerModels(controlById('key').value.trim()))
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) byId('request', HTMLFormElement).requestSubmit()
  if (event.key === 'Escape') running?.abort()
})

choice.choose(endpoint)
showServiceStatus()
offerModels('')
