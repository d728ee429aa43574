import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MOST_WAITING_BYTES, pacedWriter } from '../../../src/http/answers/paced-writer.ts'

/** A socket that takes what the test lets it take. */
class FakeResponse extends EventEmitter {
  readonly taken: string[] = []
  destroyed = false
  ended = false
  isReading = true

  write(piece: Buffer): boolean {
    this.taken.push(piece.toString())
    return this.isReading
  }

  end(): void {
    this.ended = true
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function stage({ isReading = true } = {}) {
  const response = new FakeResponse()
  response.isReading = isReading
  return { response, writer: pacedWriter(response as unknown as ServerResponse) }
}
const BIG = 'é'.repeat(MOST_WAITING_BYTES)

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('pacedWriter', () => {
  it('gives a reader all of a large text, in order, and then the end', () => {
    const { response, writer } = stage({ isReading: false })
    writer.write(BIG)
    writer.write('and the rest')
    writer.end()
    for (let turn = 0; turn < 100; turn += 1) response.emit('drain')
    expect(response.taken.join('')).toHaveLength(BIG.length + 'and the rest'.length)
    expect(response.ended).toBe(true)
    expect(writer.waitingBytes()).toBe(0)
  })

  it('says when there is room again', async () => {
    const { response, writer } = stage({ isReading: false })
    expect(writer.room()).toBeUndefined()
    writer.write(BIG)
    const room = writer.room()
    expect(room).toBeInstanceOf(Promise)
    response.isReading = true
    response.emit('drain')
    await room
    expect(writer.room()).toBeUndefined()
  })

  it('cuts who takes nothing for 10 s while more than 1 MiB waits, nobody else', () => {
    const stuck = stage({ isReading: false })
    stuck.writer.write(BIG)
    const little = stage({ isReading: false })
    little.writer.write('a')
    little.writer.write('a little')
    const slow = stage({ isReading: false })
    slow.writer.write(BIG)
    for (let second = 0; second < 12; second += 1) {
      vi.advanceTimersByTime(1_000)
      if (second % 5 === 0) slow.response.emit('drain')
    }
    expect([stuck, little, slow].map(({ response }) => response.destroyed)).toEqual([true, false, false])
  })
})
