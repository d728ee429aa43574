// Loaded in front of the service, in each of its threads: from one SIGUSR2 to the next it is profiled.
import { writeFileSync } from 'node:fs'
import inspector from 'node:inspector'
import path from 'node:path'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

const SAMPLE_US = 300
const file = path.join(process.env.PROFILE_FOLDER, `${threadId}.cpuprofile`)
let session

function toggle() {
  if (session === undefined) {
    session = new inspector.Session()
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US })
    session.post('Profiler.start')
    return
  }
  session.post('Profiler.stop', (_error, { profile }) => writeFileSync(file, JSON.stringify(profile)))
  session.disconnect()
  session = undefined
}

const channel = new BroadcastChannel('recapd-profile')
channel.unref()
if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage('toggle')
    toggle()
  })
} else channel.onmessage = toggle
