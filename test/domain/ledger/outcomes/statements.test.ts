import { expect, test } from 'vitest'
import { statementsOf } from '../../../../src/domain/ledger/outcomes/statements.ts'

const pieces = (text: string): string[] => statementsOf(text.split('\n'))

test.each([
  ['Yes — exactly.\n\nThe cache lives in the worker now.', 'The cache lives in the worker now.'],
  ["Haha yes, you're right.\nThe parser reads the header first.", 'The parser reads the header first.'],
  ["Here's the full review:\n\nBoth loops read the same row.", 'Both loops read the same row.'],
  [
    'Based on my reading of the code, this is how it works:\nThe queue is drained by the worker.',
    'The queue is drained by the worker.',
  ],
  ['That looks perfect!\nThe header is one line now.', 'The header is one line now.'],
  ['You are exactly right.\nThe hook runs twice.', 'The hook runs twice.'],
  ['Ja, genau.\nDer Zähler steht in der Tabelle.', 'Der Zähler steht in der Tabelle.'],
  ['Sí, claro.\nEl contador está en la tabla.', 'El contador está en la tabla.'],
  ['对。\n计数器在表里保存。', '计数器在表里保存。'],
  ['네, 맞습니다.\n카운터는 테이블에 저장됩니다.', '카운터는 테이블에 저장됩니다.'],
  ['Да, точно.\nСчётчик хранится в таблице.', 'Счётчик хранится в таблице.'],
  ['Let me look at the table.\nThe table has 12 rows.', 'The table has 12 rows.'],
])('statementsOf passes over nods, announcements and plans: %j', (text, wanted) => {
  expect(pieces(text)[0]).toBe(wanted)
})

test.each([
  ['No — nothing is lost when the lock is taken.', 'No — nothing is lost when the lock is taken.'],
  ['Right — git stores whole snapshots, not diffs.', 'Right — git stores whole snapshots, not diffs.'],
  ['No new files were written.', 'No new files were written.'],
])('statementsOf keeps what answers with its nod: %j', (text, wanted) => {
  expect(pieces(text)[0]).toBe(wanted)
})

test('statementsOf makes one piece of a label and the first entries under it', () => {
  expect(
    pieces('Done.\n\nUpdated:\n- `a.ts`\n- `b.ts`\n- `c.ts`\n- `d.ts`\n\n## Notes\nThe rest follows tomorrow.'),
  ).toEqual(['Updated: `a.ts`; `b.ts`; `c.ts`', 'The rest follows tomorrow.'])
})

test('statementsOf forgets a label that nothing stands under', () => {
  expect(pieces('or change the intro to:\n\n# Next part\nThis is worth fixing in March.')).toEqual([
    'This is worth fixing in March.',
  ])
})
