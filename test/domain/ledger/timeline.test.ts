import { expect, it } from 'vitest'
import { ledger } from '../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../support/told.ts'

const CLOSING = 'I chose file locks over a lock server because one machine is all we have.'
const LONG_AGO = 'I chose SQLite over Redis because nothing may be lost at a restart.'
const WITHIN = 'I chose pino over winston because its lines are JSON already.'

const passing = (count: number): ToldStep[] =>
  Array.from({ length: count }, (_, at): ToldStep[] => [
    { says: `Part ${at} is next.` },
    { run: `cat src/part-${at}.ts`, output: 'export {}' },
  ]).flat()
const decisionsOf = (...steps: readonly ToldStep[]) => ledger(told(...steps)).decisions.map(({ text }) => text)

it.each([
  ['among the newest 500 it is told', 498, [CLOSING, LONG_AGO, WITHIN]],
  ['before those it is not, while what closes a turn always is', 499, [CLOSING, WITHIN]],
])('timelineOf heeds the newest 500 remarks: %s', (_, between, decisions) => {
  const asked: ToldStep[] = [{ user: 'Guard the store.' }, { says: CLOSING }, { user: 'Now build the rest.' }]
  const step: ToldStep = { run: 'ls', output: 'src' }
  expect(decisionsOf(...asked, { says: LONG_AGO }, step, ...passing(between), { says: WITHIN }, step)).toEqual(
    decisions,
  )
})
