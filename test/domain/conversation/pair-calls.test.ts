import { expect, it } from 'vitest'
import { type PairEvent, pairCalls } from '../../../src/domain/conversation/pair-calls.ts'

/** `c1` a call of id 1, `r1` its result, `c` and `r` without ids, `c:read` one of a tool; a space begins a new row. */
function events(spelled: string): PairEvent[] {
  return spelled.split(' ').flatMap((row, at) =>
    row.split('+').map((each) => {
      const [head = '', name] = each.split(':')
      return { kind: head.startsWith('c') ? 'call' : 'result', id: head.slice(1), name, row: at } as const
    }),
  )
}

it.each([
  ['each its own', 'c1+c2 r1 r2', [2, 3, -1, -1]],
  ['results in another order', 'c1+c2 r2 r1', [3, 2, -1, -1]],
  ['one id twice in one row: the next unanswered first', 'c1+c1 r1 r1', [2, 3, -1, -1]],
  ['an id used again', 'c1 r1 c1 r1', [1, -1, 3, -1]],
  ['used again and interrupted', 'c1 r1 c1', [1, -1, -1]],
  ['a later row takes the id of an unanswered call over', 'c1 c1 r1', [-1, 2, -1]],
  ['an orphan, a second result', 'r9 c1 r1 r1', [-1, 2, -1, -1]],
  ['no ids: by order', 'c+c r r', [2, 3, -1, -1]],
  ['no ids: by name, then order', 'c:read+c:run+c:read r:run r:read r:read', [4, 3, 5, -1, -1, -1]],
  ['no ids: a later row takes over from an unanswered call', 'c:read c:read r:read', [-1, 2, -1]],
  ['a name that no open call has answers nobody', 'c:read r:run', [-1, -1]],
  ['an id nobody gave answers no call of another name', 'c:read r7:run', [-1, -1]],
  ['an id only the result has, and the name', 'c:read r7:read', [1, -1]],
])('pairCalls: %s', (_, spelled, wanted) => {
  const { resultOf, callOf } = pairCalls(events(spelled))
  expect([...resultOf]).toEqual(wanted)
  wanted.forEach((result, call) => {
    if (result >= 0) expect(callOf[result]).toBe(call)
  })
})

it('pairCalls stays linear in many calls of one id', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => ({ kind: 'call', id: 'x', row: at % 2 }) as const)
  const results = many.map((_, at) => ({ kind: 'result', id: 'x', row: at + 2 }) as const)
  expect(pairCalls([...many, ...results]).resultOf.length).toBe(200_000)
})
