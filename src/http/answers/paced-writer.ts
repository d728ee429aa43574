import type { ServerResponse } from 'node:http'

/** Writes a long answer no faster than it is read. */
export interface PacedWriter {
  /** Bytes that wait because the client does not read. */
  waitingBytes(): number
  /** Undefined while the client keeps up; else when there is room again, or nobody left to write for. */
  room(): Promise<void> | undefined
  write(text: string): void
  /** Ends the answer after what still waits. */
  end(): void
}

/** Given to the socket at once; the next piece follows when it has gone. */
const PIECE_BYTES = 65_536
/** This much may wait for a client that pauses for a while. */
export const MOST_WAITING_BYTES = 1_048_576
/** A client that took nothing for this long, with more than that waiting, does not read (docs/spec/hostile.md §2). */
const STUCK_MS = 10_000
const LOOK_MS = 1_000

/** A client that does not read is cut: its answer then closes unfinished, as when it had left. */
export function pacedWriter(raw: ServerResponse): PacedWriter {
  const queue: Buffer[] = []
  let queuedBytes = 0
  let isEnding = false
  let isFull = false
  let progressAt = performance.now()
  let watch: NodeJS.Timeout | undefined
  let roomAgain: PromiseWithResolvers<void> | undefined

  function pump(): void {
    for (let piece = queue[0]; piece !== undefined && !isFull && !raw.destroyed; piece = queue[0]) {
      const now = piece.subarray(0, PIECE_BYTES)
      if (now.length === piece.length) queue.shift()
      else queue[0] = piece.subarray(PIECE_BYTES)
      queuedBytes -= now.length
      progressAt = performance.now()
      isFull = !raw.write(now)
    }
    if (queuedBytes <= MOST_WAITING_BYTES) makeRoom()
    if (queue.length > 0) return
    clearInterval(watch)
    watch = undefined
    if (isEnding) raw.end()
  }

  function makeRoom(): void {
    roomAgain?.resolve()
    roomAgain = undefined
  }

  function cutWhereStuck(): void {
    if (queuedBytes > MOST_WAITING_BYTES && performance.now() - progressAt >= STUCK_MS) raw.destroy()
  }

  raw.on('drain', () => {
    isFull = false
    pump()
  })
  raw.once('close', () => {
    clearInterval(watch)
    queue.length = 0
    makeRoom()
  })
  return {
    waitingBytes: () => queuedBytes,
    room() {
      if (queuedBytes <= MOST_WAITING_BYTES || raw.destroyed) return undefined
      roomAgain ??= Promise.withResolvers()
      return roomAgain.promise
    },
    write(text) {
      if (raw.destroyed) return
      const bytes = Buffer.from(text)
      queue.push(bytes)
      queuedBytes += bytes.length
      pump()
      if (queue.length > 0) watch ??= setInterval(cutWhereStuck, LOOK_MS).unref()
    },
    end() {
      isEnding = true
      pump()
    },
  }
}
