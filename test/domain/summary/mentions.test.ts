import { expect, test } from 'vitest'
import { indexAnswer, mentions } from '../../../src/domain/summary/mentions.ts'

const ANSWER = `## Goal
- Speed up the import of the parcels.

## Constraints & Preferences
- Nightly job: not to run earlier than 02:00
- 标签打印服务不要重复地址

## Done
- The printing service writes labels; the warehouse list has a column for weight.
- Moved the reader of the tariff table to its own module.`

test.each([
  ['The nightly job must not run before 02:00.', true],
  ['Speed up importing the parcels', true],
  ['不要在标签打印服务里重复地址', true],
  ['The nightly job must not run before 04:30.', false],
  ['The tariff table must never be moved', false],
  // Its words stand in the answer, each in another place.
  ['Speed up the nightly printing of tariffs', false],
  ['Import the weight earlier than the tariff reader of the nightly module', false],
])('mentions takes words for the probe only where they stand together: %s', (probe, wanted) => {
  expect(mentions(indexAnswer(ANSWER), probe)).toBe(wanted)
})
