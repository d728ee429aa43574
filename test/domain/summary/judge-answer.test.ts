import { expect, test } from 'vitest'
import { verdict } from '../../../src/domain/summary/judge-answer.ts'
import { askedHeadings, hasHeading, headingOf } from '../../../src/domain/text/headings.ts'

test.each([
  ['a summary', '## Goal\nx', 'headings', 'ok'],
  ['one heading is enough', 'Intro\n# Goal', 'headings', 'ok'],
  ['an answer to the user', 'Sure! I moved it. Anything else?', 'headings', 'not-a-summary'],
  ['a JSON object', '{\n  "goal": "# x"\n}', 'headings', 'not-a-summary'],
  ['a shell comment in a fence', 'Run this:\n```sh\n# install\nnpm i\n```', 'headings', 'not-a-summary'],
  ['a hashtag', '#goal reached', 'headings', 'not-a-summary'],
  ['text when text was asked', 'I moved it.', 'text', 'ok'],
  ['JSON when text was asked', '{"a":1}', 'text', 'ok'],
  ['nothing', ' \n\t', 'text', 'blank'],
  ['invisible characters', '\u200B\uFEFF \u2060', 'headings', 'blank'],
] as const)('verdict: %s', (_, text, expects, wanted) => {
  expect(verdict(text, expects)).toBe(wanted)
})

test('askedHeadings gives each heading once, in order, fenced ones too', () => {
  const asked = askedHeadings('Use:\n## Goal ##\r\n[x]\n```\n### Done\n```\n## Goal\n#no\n####### seven')
  expect(asked).toEqual([
    { line: '## Goal', level: 2, title: 'Goal' },
    { line: '### Done', level: 3, title: 'Done' },
  ])
})

test('headingOf keeps hashes that belong to the title', () => {
  expect(headingOf('## C#')?.title).toBe('C#')
})

test('hasHeading ends a fence only at its own mark', () => {
  expect(hasHeading('````\n```\n# a\n````')).toBe(false)
  expect(hasHeading('```sh\nx\n```\n# a')).toBe(true)
})
