import type { ChildProcess } from 'node:child_process'

/** The port a spawned service says it listens on; rejects with its output when it ends before. */
export function listeningPort(service: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    service.stdout?.on('data', (data) => {
      output += data
      const port = /is ready at http:\/\/[^:]+:(\d+)/.exec(output)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    service.once('exit', () => reject(new Error(`the service ended: ${output.slice(-2000)}`)))
  })
}
