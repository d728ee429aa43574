import { expect, test } from 'vitest'
import { mayHoldRules, ruleIn } from '../../../../src/domain/ledger/constraints/standing-rule.ts'

test.each([
  ['en', 'prohibition', 'please move the relay to port 48213 and never touch the billing tables'],
  ['en', 'prohibition', "Don't change the schema."],
  ['en', 'prohibition', 'You must not log customer e-mail addresses'],
  ['en', 'prohibition', 'Fix it without touching the public API.'],
  ['en', 'prohibition', 'The folder billing/ is off limits.'],
  ['en', 'prohibition', 'When the stage is down, restart it; under no circumstances restart production.'],
  ['en', 'obligation', 'The response shape must stay as it is.'],
  ['en', 'obligation', 'Always run the linter first'],
  ['en', 'obligation', 'Hard rule: no query without a limit.'],
  ['en', 'obligation', 'From now on make sure that no e-mail address gets into a log.'],
  ['es', 'prohibition', 'No toques la carpeta legado.'],
  ['es', 'obligation', 'Debes mantener los textos actuales.'],
  ['de', 'prohibition', 'Bitte nicht die Tabellen ändern.'],
  ['de', 'obligation', 'Die Ausgabe muss gleich bleiben.'],
  ['fr', 'prohibition', 'Ne touche pas au schéma.'],
  ['fr', 'obligation', 'Il faut garder les anciens noms.'],
  ['pt', 'prohibition', 'Não altere os testes.'],
  ['pt', 'obligation', 'O formato deve continuar igual.'],
  ['it', 'prohibition', 'Non modificare mai la cartella fatture.'],
  ['it', 'obligation', 'Il formato deve restare uguale.'],
  ['zh', 'prohibition', '不要修改数据库'],
  ['zh', 'obligation', '必须保留原来的接口'],
  ['ja', 'prohibition', 'テストを変更しないでください'],
  ['ja', 'obligation', '必ず日本語で書いてください'],
  ['ko', 'prohibition', 'payments 폴더는 절대 수정하지 마세요.'],
  ['ko', 'obligation', '반드시 한국어로 답해 주세요'],
  ['ru', 'prohibition', 'Не трогай таблицы оплаты'],
  ['ru', 'obligation', 'Формат должен остаться прежним'],
  ['tr', 'prohibition', 'payments klasörünü asla değiştirme.'],
  ['tr', 'obligation', 'Testleri her zaman önce çalıştır.'],
  ['ar', 'prohibition', 'لا تعدّل مجلد payments أبداً.'],
  ['ar', 'obligation', 'يجب أن يبقى الشكل كما هو.'],
  ['hi', 'prohibition', 'payments फ़ोल्डर को कभी मत बदलना।'],
  ['hi', 'obligation', 'हमेशा पहले टेस्ट चलाओ।'],
  ['en', 'prohibition', "ok so let's not touch the scheduler for now"],
  ['de', 'prohibition', 'Lass uns am Parser erst mal nichts ändern, und bitte nicht am Schema.'],
  ['de', 'prohibition', 'Lasst uns den alten Pfad noch nicht löschen'],
  ['es', 'prohibition', 'mejor no toquemos el planificador todavía'],
  ['fr', 'prohibition', 'ne touchons pas encore au planificateur'],
  ['it', 'prohibition', 'per ora non tocchiamo lo schema'],
  ['pt', 'prohibition', 'não vamos mexer no agendador ainda'],
  ['zh', 'prohibition', '我们先别改调度器'],
  ['ja', 'prohibition', 'まだスキーマには触れないようにしよう'],
  ['ko', 'prohibition', '아직 스케줄러는 건드리지 말자'],
  ['ru', 'prohibition', 'давай пока не будем трогать планировщик'],
  ['tr', 'prohibition', 'şimdilik zamanlayıcıyı değiştirmeyelim'],
  ['ar', 'prohibition', 'دعنا لا نغير المخطط الآن'],
  ['hi', 'prohibition', 'फिलहाल स्कीमा को न बदलें'],
] as const)('ruleIn reads %s: %s: %s', (_, wanted, sentence) => {
  expect(ruleIn(sentence)).toBe(wanted)
  expect(mayHoldRules(`All right.\n${sentence}\nThanks!`).sentence).toBe(true)
  expect(mayHoldRules(sentence.replaceAll(' ', '\n')).sentence).toBe(true)
})

test.each([
  "I don't know why",
  'it never works',
  'you never told me',
  'it must have failed',
  "the tests don't pass",
  "don't we pass it twice?",
  'Is this always so?',
  'Must the port really be 8080 in every environment?',
  'Add a test for the lexer please, only one.',
  'no funciona y no entiendo que pasa',
  'Ich weiß nicht',
  'je ne sais pas',
  'não funciona',
  '别人的代码很好',
  'не работает',
  'put it into pi.deve',
  'move the relay',
  'Test the edges to ensure that it is robust',
  'The caller will see "the origin must be a URL" and not the clearer text',
  'consistent with the "best effort, never block" comment in the code',
  'no sabemos por qué falla',
])('ruleIn takes no report, question or request of one turn for a rule: %s', (sentence) => {
  expect(ruleIn(sentence)).toBe(null)
})

test('mayHoldRules spares turns without any cue', () => {
  expect(mayHoldRules('The relay moved to another port.\nIt works.')).toEqual({ sentence: false, label: false })
})
