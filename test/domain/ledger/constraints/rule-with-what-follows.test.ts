import { expect, test } from 'vitest'
import { ruleSentences } from '../../../../src/domain/ledger/constraints/rule-sentences.ts'
import { rulesWithWhatFollows } from '../../../../src/domain/ledger/constraints/rule-with-what-follows.ts'

test.each([
  [
    'You must submit with this command:\n\n```bash\necho FINISHED && cat out.diff\n```\nGood luck.',
    'You must submit with this command: `echo FINISHED && cat out.diff`',
  ],
  ['Please never touch:\n- legacy/\n- vendor/\n\nThanks', 'Please never touch: legacy/; vendor/'],
  ['Bitte nicht ändern:\n1. das Schema\n2. die Migration\n\nDanke', 'Bitte nicht ändern: das Schema; die Migration'],
  ['必须保留：\n- 接口\n- 端口\n\n', '必须保留： 接口; 端口'],
])('rulesWithWhatFollows takes the block or list behind the colon: %j', (text, wanted) => {
  expect(rulesWithWhatFollows(text)).toEqual([wanted])
  expect(ruleSentences(text)).toContain(wanted)
})

test.each([
  'Here is the list:\n- one\n- two\n\n',
  'You must know this:\n\nA paragraph follows.',
  `You must read this:\n\`\`\`\n${'line\n'.repeat(40)}\`\`\``,
  `Never touch:\n${'- a very long entry of the list\n'.repeat(40)}`,
])('rulesWithWhatFollows leaves out what is no rule, and documents: %j', (text) => {
  expect(rulesWithWhatFollows(text)).toEqual([])
})
