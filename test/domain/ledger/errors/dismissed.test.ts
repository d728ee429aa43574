import { expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const LINE = 'docs/colors.md:137:75 error MD059 Link text should be descriptive'
const lint = (line = LINE): ToldStep => ({ run: 'npx markdownlint docs/colors.md', output: line, code: 1 })
const openIn = (...steps: ToldStep[]): string[] =>
  ledger(told({ user: 'Describe the colors.' }, ...steps)).openErrors.map(({ text }) => text)

it.each([
  'Same pre-existing issues, nothing new from my edit.',
  'Die waren schon vorher da.',
  'Son errores preexistentes.',
  'Ces erreurs sont préexistantes.',
  'Sono errori preesistenti.',
  'Não está relacionado com a mudança.',
  '这些问题之前就有。',
  'これは既存の問題です。',
  '기존에 있던 오류다.',
  'Это не связано с правкой.',
  'Bunlar önceden vardı.',
  'الخطأ موجود مسبقاً.',
  'यह पहले से मौजूद है।',
])('dismissals sets a failure aside that the assistant calls none of its own: %s', (words) => {
  expect(openIn(lint(), { says: words })).toEqual([])
})

it('dismissals holds for the same failure when it comes again', () => {
  const again = lint(LINE.replace('137', '139'))
  expect(openIn(lint(), { says: 'Pre-existing, unrelated to this.' }, { edit: 'docs/colors.md' }, again)).toEqual([])
})

it('dismissals leaves another failure of the same command open, and one that nobody set aside', () => {
  const other = 'docs/colors.md:3:1 error MD041 First line should be a heading'
  expect(openIn(lint(), { says: 'Pre-existing.' }, lint(other), { says: 'That one is mine.' })).toEqual([other])
  expect(openIn(lint(), { run: 'ls', output: 'docs' }, { says: 'Unrelated: the folder is there.' })).toEqual([LINE])
})
