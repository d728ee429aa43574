import { expect, it } from 'vitest'
import { piecesInclude } from '../../../../src/http/faces/proxy/pieces-include.ts'

const MARKS = [Buffer.from('the mark'), Buffer.from('recapd1.')]

it.each([
  ['in one piece', ['a body with the mark in it']],
  ['at the very end', ['a body and recapd1.']],
  ['across two pieces', ['a body with the m', 'ark in it']],
  ['across many short pieces', ['x', 't', 'he', ' ', 'ma', 'r', 'k', 'y']],
  ['behind a long piece', ['x'.repeat(100), 'reca', 'pd1.']],
])('piecesInclude finds a mark %s', (_where, pieces) => {
  expect(
    piecesInclude(
      pieces.map((piece) => Buffer.from(piece)),
      MARKS,
    ),
  ).toBe(true)
})

it.each([[[]], [['']], [['the mar', ' k']], [['recapd', 'x', '1.']], [['k', 'the mar']]])(
  'piecesInclude finds none in %j',
  (pieces) => {
    expect(
      piecesInclude(
        pieces.map((piece) => Buffer.from(piece)),
        MARKS,
      ),
    ).toBe(false)
  },
)
