import { expect, it } from 'vitest'
import { isOtherLanguage } from '../../../src/domain/text/language.ts'

const EN = 'The relay should be moved to the new port and it must never touch the tables that are in use for billing.'
const DE =
  'Das Relais wird auf den neuen Port gelegt und darf die Tabellen nicht anfassen, die wir für die Rechnungen auch noch haben.'
const ES =
  'El relé se mueve al puerto nuevo y no debe tocar nunca las tablas que son para la facturación del mes con los datos.'
const ZH = '把中继服务迁移到新端口，不要修改账单表。'
const RU = 'Перенеси реле на новый порт и не трогай таблицы счетов.'

it.each([
  ['English and German', EN, DE, true],
  ['German and English', DE, EN, true],
  ['German and Spanish', DE, ES, true],
  [
    'English twice',
    EN,
    'It is to be done with the tests that have not been run for the port yet, and all of it must be on time.',
    false,
  ],
  ['Chinese and English', ZH, EN, true],
  ['Chinese twice', ZH, '中继服务已迁移。', false],
  ['Russian and English', RU, EN, true],
  // Only what is certain: a few words tell nothing, and code is of no language.
  ['a word and German', 'ok', DE, false],
  ['no letters and German', '42 %', DE, false],
  ['code and German', '`npm run build` src/server/main.ts https://example.org/the/and/that', DE, false],
  ['fenced German inside English', EN, `${EN}\n\`\`\`\n${DE}\n\`\`\``, false],
])('isOtherLanguage of %s: %#', (_, first, second, other) => {
  expect(isOtherLanguage(first, second)).toBe(other)
})
