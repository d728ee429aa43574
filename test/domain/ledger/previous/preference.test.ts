import { expect, test } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { isPreference } from '../../../../src/domain/ledger/previous/preference.ts'
import { told } from '../../../support/told.ts'

test.each([
  ['User prefers **E2E tests only** - no unit tests.', true],
  ['**User does not want** a new dependency', true],
  ["The user doesn't want the lock file touched", true],
  ['User wants to add an export', false],
  ['The importer prefers the cache', false],
])('isPreference reads a rule among the lessons of an earlier summary: %s', (line, wanted) => {
  expect(isPreference(line)).toBe(wanted)
  const held = ledger(told({ user: 'Go on with the export of the price list.' }), {
    summary: `## Critical Context\n- ${line}`,
    durable: null,
  })
  expect(held.constraints.map(({ text }) => text)).toEqual(wanted ? [line] : [])
})
