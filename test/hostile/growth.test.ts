import { describe, expect, it } from 'vitest'
import { callOf } from '../../src/domain/conversation/call.ts'
import { ConversationBuilder } from '../../src/domain/conversation/conversation-builder.ts'
import { plainStringEnd } from '../../src/domain/transcript/plain-spelling.ts'
import { ATTACKS } from './attack-texts.ts'
import { growthFault } from './growth-fault.ts'
import { readers } from './readers.ts'

/** Characters of the smallest text; the others are twice and four times as long. */
const SIZE = 15_000
const found = await readers()

describe('every exported reader of text grows no faster than its text', () => {
  it('there are readers to measure', () => {
    expect(found.length).toBeGreaterThan(50)
  })

  it.each(found)('$name', { timeout: 240_000 }, ({ read }) => {
    const faults: string[] = []
    for (const [attack, textOf] of ATTACKS) {
      const times = growthFault((factor) => {
        const text = textOf(factor * SIZE)
        return () => read(text)
      })
      if (times !== null) faults.push(`${attack}: ${times}`)
    }
    expect(faults).toEqual([])
  })
})

it('a look at the spelling of a text grows no faster than that', { timeout: 240_000 }, () => {
  for (const [attack, textOf] of ATTACKS) {
    const times = growthFault((factor) => {
      const spelled = Buffer.from(JSON.stringify(textOf(factor * SIZE)))
      return () => plainStringEnd(spelled, 0)
    })
    expect(times, attack).toBeNull()
  }
})

const ROWS = 5_000
const callNo = (number: number) => callOf({ id: `c${number}`, name: 'f', arguments: '{}' })

describe('a conversation grows no faster than its rows', () => {
  it.each<[what: string, add: (builder: ConversationBuilder, count: number) => void]>([
    [
      'calls of one answer that nobody answers',
      (builder, count) =>
        builder.assistant(
          [1],
          Array.from({ length: count }, (_, number) => callNo(number)),
        ),
    ],
    ['notices of one row', (builder, count) => builder.user([1], ['<skill>a</skill>\n'.repeat(count)])],
    [
      'blocks of one row',
      (builder, count) =>
        builder.user(
          [1],
          Array.from({ length: count }, () => 'go on'),
        ),
    ],
  ])('%s', { timeout: 240_000 }, (_what, add) => {
    const times = growthFault((factor) => () => {
      const builder = new ConversationBuilder({ unanswered: 'unknown' })
      add(builder, factor * ROWS)
      return builder.build()
    })
    expect(times).toBeNull()
  })
})
