import { expect, it } from 'vitest'
import { askedHeadings, hasHeading } from '../../../src/domain/text/headings.ts'

it.each([
  // Samples on which the two readers of the first house differed.
  ['## Goal ##', ['## Goal']],
  ['    ## Indented code', []],
  ['## Goal\n## Goal', ['## Goal']],
  ['1. ## Goal', []],
  // And the rest of the rule.
  ['## Goal\ntext\n### Done  \n# C#', ['## Goal', '### Done', '# C#']],
  ['```\n## Goal\n```', ['## Goal']],
  ['#Goal\n####### Goal\n##', []],
])('askedHeadings of %j are %j', (instructions, lines) => {
  expect(askedHeadings(instructions).map(({ line }) => line)).toEqual(lines)
})

it.each([
  ['## Goal', true],
  ['text\n\n # Goal', true],
  ['```sh\n# a comment\n```', false],
  ['```sh\n# a comment\n```\n## Goal', true],
  ['~~~\n```\n# a comment\n~~~', false],
  ['no heading # here', false],
])('hasHeading of %j is %s', (text, has) => {
  expect(hasHeading(text)).toBe(has)
})
