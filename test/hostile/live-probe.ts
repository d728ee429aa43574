// A process of its own, so that its clock goes on while the test works: asks /livez every 20 ms and tells the waits.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const agent = new http.Agent({ keepAlive: true })

/** Milliseconds until the answer is there. */
function ask(url: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const over = () => resolve(performance.now() - startedAt)
    http.get(`${url}/livez`, { agent }, (response) => response.resume().once('close', over)).once('error', over)
  })
}

let waits: number[] | undefined
process.on('message', async ({ begin }: { readonly begin?: string }) => {
  if (begin === undefined) {
    process.send?.(waits ?? [])
    waits = undefined
    return
  }
  const mine: number[] = []
  waits = mine
  while (waits === mine) {
    mine.push(await ask(begin))
    await sleep(20)
  }
})
process.on('disconnect', () => process.exit())
