import { expect, test } from 'vitest'
import { CONSTRAINT_CUES } from '../../../src/domain/ledger/constraint-cues.ts'
import { constraintAt, constraintOf, mayHoldConstraint } from '../../../src/domain/ledger/constraint-of.ts'

test.each([
  ['en', 'prohibition', 'please move the relay to port 48213 and never touch the billing tables'],
  ['en', 'prohibition', "Don't change the schema."],
  ['en', 'prohibition', 'You must not log customer e-mail addresses'],
  ['en', 'prohibition', 'Fix it without touching the public API.'],
  ['en', 'obligation', 'The response shape must stay as it is.'],
  ['en', 'obligation', 'Always run the linter first'],
  ['es', 'prohibition', 'No toques la carpeta legado.'],
  ['es', 'obligation', 'Debes mantener los textos actuales.'],
  ['de', 'prohibition', 'Bitte nicht die Tabellen ändern.'],
  ['de', 'obligation', 'Die Ausgabe muss gleich bleiben.'],
  ['fr', 'prohibition', 'Ne touche pas au schéma.'],
  ['fr', 'obligation', 'Il faut garder les anciens noms.'],
  ['pt', 'prohibition', 'Não altere os testes.'],
  ['pt', 'obligation', 'O formato deve continuar igual.'],
  ['zh', 'prohibition', '不要修改数据库'],
  ['zh', 'obligation', '必须保留原来的接口'],
  ['ja', 'prohibition', 'テストを変更しないでください'],
  ['ja', 'obligation', '必ず日本語で書いてください'],
  ['ru', 'prohibition', 'Не трогай таблицы оплаты'],
  ['ru', 'obligation', 'Формат должен остаться прежним'],
] as const)('constraintOf reads %s: %s', (language, wanted, sentence) => {
  expect(constraintOf(sentence)).toBe(wanted)
  expect(mayHoldConstraint(`All right.\n${sentence}\nThanks!`)).toBe(true)
  expect(mayHoldConstraint(sentence.replaceAll(' ', '\n'))).toBe(true)
  expect(
    CONSTRAINT_CUES.some(
      (row) => row.language === language && (row.prohibition.test(sentence) || row.obligation.test(sentence)),
    ),
  ).toBe(true)
})

test.each([
  "I don't know why",
  'it never works',
  'you never told me',
  'it must have failed',
  "the tests don't pass",
  "don't we pass it twice?",
  'Is this always so?',
  'no funciona y no entiendo que pasa',
  'Ich weiß nicht',
  'je ne sais pas',
  'não funciona',
  '别人的代码很好',
  'не работает',
  'put it into pi.deve',
  'move the relay',
])('constraintOf takes no report or question for a rule: %s', (sentence) => {
  expect(constraintOf(sentence)).toBe(null)
})

test('mayHoldConstraint spares turns without any cue', () => {
  expect(mayHoldConstraint('The relay moved to another port.\nIt works.')).toBe(false)
})

test('constraintAt finds the first cue', () => {
  expect(constraintAt('keep going and never stop')).toBe('keep going '.length)
  expect(constraintAt('hello')).toBe(-1)
})

test('constraintOf keeps up with a hostile megabyte', () => {
  for (const unit of ['a ', 'do not', 'leave x ', 'darf ', 'ne ', ' ', '(', 'не '])
    expect(() => constraintOf(unit.repeat(100_000))).not.toThrow()
})
