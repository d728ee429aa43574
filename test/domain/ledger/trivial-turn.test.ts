import { describe, expect, it } from 'vitest'
import { isTrivialTurn } from '../../../src/domain/ledger/trivial-turn.ts'
import { isSubstantive } from '../../../src/domain/ledger/user-words.ts'

describe('isTrivialTurn', () => {
  it.each([
    // Samples on which the two readers of the first house differed.
    ['lgtm', true],
    ['yes please', true],
    ['sure', true],
    ['great', true],
    ['vale', true],
    ['네', true],
    ['はい', true],
    ['adelante', true],
    ['ok do it', true],
    ['please', true],
    ['nein', true],
    ['passt', true],
    // Nods behind each other, in any case and with any marks; commands of the agent; nothing readable.
    ['OK, thanks. Go on!', true],
    ['/compact', true],
    ['👍', true],
    ['', true],
    // And what asks for something.
    ['/review src/http/app.ts and tell me what is slow', false],
    ['yes, but keep the old port', false],
    ['no, use yarn', false],
    ['fix the parser', false],
    ['请把端口改成 8080', false],
  ])('of %j is %s', (turn, trivial) => {
    expect(isTrivialTurn(turn)).toBe(trivial)
    if (turn !== '' && turn !== '👍') expect(isSubstantive(turn)).toBe(!trivial)
  })
})
