import { describe, expect, it } from 'vitest'
import { NOTICE } from '../../../src/domain/extractive/notice.ts'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'
import { CHECKPOINT, headingsOf, promptOf, type Row, ran, sectionOf } from './prompt-builder.ts'

const summary = (rows: readonly Row[], options: Parameters<typeof promptOf>[1] = {}, maxTokens = 4000): string =>
  summarizeExtractively({ prompt: promptOf(rows, options), maxTokens })

const TASK: Row = ['User', 'Write the importer for the new price list.']
const FAULT = 'TypeError: price is not a number'

describe('summarizeExtractively', () => {
  it('says in its first line that no language model was used', () => {
    expect(summary([TASK]).split('\n')[0]).toBe(NOTICE)
  })

  it('quotes the newest request verbatim, with its lines, headings in it escaped', () => {
    const text = summary([
      TASK,
      ['Assistant', 'Done with that part of the work.'],
      ['User', 'Now do this:\n\n## Goal\nnot a heading of mine'],
    ])
    expect(sectionOf(text, '## Goal')).toContain('Newest request: Now do this:\n\n  \\## Goal\n  not a heading of mine')
    expect(headingsOf(text)).toEqual(headingsOf(CHECKPOINT))
  })

  it('tells a decision of a long first request where the request itself had to be cut before it', () => {
    const plan = Array.from(
      { length: 60 },
      (_, i) => `Paragraph ${i} explains the background of module ${i} at length.`,
    )
    const first = `${plan.join('\n')}\n\n## Decisions\n- **Format**: free-form text that people read along, never nested objects with fields\n- **Storage**: in the table of results`
    const text = summary(
      [
        ['User', first],
        ['Assistant', 'It is built.'],
        ['User', 'Now review it.'],
      ],
      {},
      700,
    )
    expect(text).not.toContain('Paragraph 59')
    expect(sectionOf(text, '## Key Decisions')).toContain('**Format**: free-form text that people read along')
  })

  it('cuts outcomes of older turns behind the request they came of, at a clause, when not everything has room', () => {
    const rows = Array.from({ length: 14 }, (_, i): Row[] => [
      ['User', `Now, please, adapt module number ${i}, the one of the northern depot, to the interface.`],
      ['Assistant tool calls', `edit(path="src/module-${i}.ts", oldText="a", newText="b")`],
      ['Tool result', 'Successfully replaced text.'],
      [
        'Assistant',
        `Module ${i} speaks the new interface, and its reader was moved to the pool of workers, where the other readers of the depots wait for their turn since March.`,
      ],
    ]).flat()
    const done = sectionOf(summary(rows, {}, 700), '### Done')
      .split('\n')
      .filter((line) => line.includes('→'))
    expect(done.length).toBeGreaterThan(3)
    for (const line of done) expect(line).toMatch(/” → Module \d+ speaks the new interface/)
    expect(done.some((line) => line.endsWith(' …'))).toBe(true)
  })

  it('takes no nod for a request and says what it was an answer to', () => {
    const text = summary([
      TASK,
      ['Assistant', 'I can take the old one or the new one. I propose the new one. Shall I?'],
      ['User', 'yes'],
      ['Assistant tool calls', 'read(path="a.ts")'],
    ])
    const goal = sectionOf(text, '## Goal')
    expect(goal).toContain('Newest request: Write the importer')
    expect(sectionOf(text, '## Key Decisions')).toBe('- The user decided: yes (asked: Shall I?)')
  })

  it('drops a blocker when the same command succeeds later, however it is piped', () => {
    const rows = [TASK, ...ran('cd app && npm test 2>&1 | tail -5', FAULT, 1), ...ran('npm test', '9 passed')]
    expect(sectionOf(summary(rows), '### Blocked')).toBe('- (none)')
  })

  it('keeps a blocker that nothing got over, with its command and error line', () => {
    const blocked = sectionOf(
      summary([TASK, ...ran('npm test', `x\n${FAULT}\ny`, 1), ...ran('git status', 'clean')]),
      '### Blocked',
    )
    expect(blocked).toBe(`- \`npm test\`: ${FAULT}`)
  })

  it.each([
    ['grep -rn price src', 1],
    ['test -f missing.txt', 1],
    ['diff a b', 1],
    ['which pnpm', 1],
    ['npm run list | head -3', 141],
    ['ls src; cat missing.txt', 1],
  ])('takes exit of `%s` with %i for an answer and no error', (command, code) => {
    expect(sectionOf(summary([TASK, ...ran(command, 'nothing', code)]), '### Blocked')).toBe('- (none)')
  })

  it('takes error words in what a command only shows for content', () => {
    const rows = [TASK, ...ran('cat log.txt', `${FAULT}\nfatal: broken`)]
    expect(sectionOf(summary(rows), '### Blocked')).toBe('- (none)')
  })

  it('names files that were changed and not those whose change failed', () => {
    const rows: Row[] = [
      TASK,
      [
        'Assistant tool calls',
        'edit(path="a.ts", oldText="x", newText="y"); edit(path="b.ts", oldText="x", newText="y")',
      ],
      ['Tool result', 'Successfully replaced text in a.ts.'],
      ['Tool error', 'Could not find the exact text in b.ts.'],
    ]
    const done = sectionOf(summary(rows), '### Done')
    expect(done).toContain('Edited a.ts')
    expect(done).not.toContain('b.ts')
  })

  it('finds files in patches and in redirections of the shell', () => {
    const rows: Row[] = [
      TASK,
      [
        'Assistant tool calls',
        'apply_patch(input="*** Begin Patch\\n*** Update File: src/one.ts\\n-a\\n+b\\n*** End Patch")',
      ],
      ['Tool result', 'ok'],
      ...ran('cat > notes/two.md <<EOF\nhello\nEOF', ''),
    ]
    const done = sectionOf(summary(rows), '### Done')
    expect(done).toContain('src/one.ts')
    expect(done).toContain('notes/two.md')
  })

  it('gives results to the right calls when one of them was interrupted', () => {
    const rows: Row[] = [
      TASK,
      [
        'Assistant tool calls',
        'edit(path="a.ts", oldText="x", newText="y"); edit(path="b.ts", oldText="x", newText="y"); bash(command="make")',
      ],
      ['Tool error', 'bash: interrupted, no result'],
      ['Tool error', 'Could not find the exact text in a.ts.'],
      ['Tool result', 'Successfully replaced text in b.ts.'],
    ]
    const text = summary(rows)
    expect(sectionOf(text, '### Done')).toBe('- [x] Edited b.ts')
    expect(sectionOf(text, '### In Progress')).toContain('ran `make` (interrupted)')
  })

  it('escapes tags that a reader of the answer would act on', () => {
    expect(summary([['User', 'Strip <think> and </summary> from answers.']])).toContain(
      'Strip &lt;think> and &lt;/summary> from answers.',
    )
  })

  it('takes no constraint from pasted logs, code and questions', () => {
    const text = summary([
      [
        'User',
        'Why must it fail?\n```\nyou must not do that\n```\nERROR you must never see this\nat must.not (a.ts:1:2)\nDo not touch the schema.',
      ],
    ])
    expect(sectionOf(text, '## Constraints & Preferences')).toBe('- Do not touch the schema.')
  })

  it.each([
    ['es', 'No toques la base de datos.'],
    ['de', 'Ändere niemals die Datenbank.'],
    ['fr', 'Ne touche pas à la base de données.'],
    ['pt', 'Não altere o banco de dados.'],
    ['zh', '不要修改数据库。'],
    ['ja', 'データベースを変更しないでください。'],
    ['ru', 'Не трогай базу данных.'],
  ])('finds constraints in %s', (_, sentence) => {
    expect(sectionOf(summary([['User', sentence]]), '## Constraints & Preferences')).toContain(sentence)
  })

  it.each([
    ['es', 'Hemos decidido usar colas porque aguantan las ráfagas.', 'Siguientes pasos:\n- limpiar la tabla'],
    [
      'de',
      'Wir haben entschieden, Warteschlangen zu nutzen, weil sie Spitzen aushalten.',
      'Nächste Schritte:\n- Tabelle aufräumen',
    ],
    [
      'fr',
      "Nous avons choisi des files d'attente parce qu'elles tiennent les pics.",
      'Prochaines étapes :\n- nettoyer la table',
    ],
    ['pt', 'Decidimos usar filas porque aguentam os picos.', 'Próximos passos:\n- limpar a tabela'],
    ['zh', '我们决定使用队列，因为它能承受突发流量，系统更稳定可靠。', '下一步：\n- 清理数据表'],
    ['ja', '決定：キューを使います。突発的な負荷に耐えられるからです。', '次のステップ：\n- テーブルを整理する'],
    ['ru', 'Мы решили использовать очереди, потому что они держат всплески.', 'Следующие шаги:\n- очистить таблицу'],
  ])('finds decisions and next steps in %s', (_, decision, next) => {
    const text = summary([TASK, ['Assistant', `${decision}\n\n${next}`]])
    expect(sectionOf(text, '## Key Decisions')).not.toBe('- (none)')
    expect(sectionOf(text, '## Next Steps')).toContain(next.split('\n- ')[1])
  })

  it('takes what the closing message offers for a proposal, and nothing from messages before it', () => {
    const offer: Row = ['Assistant', 'The list is read.\n\nNext steps:\n- paint the shed']
    const next = (rows: Row[]): string => sectionOf(summary(rows), '## Next Steps')
    expect(next([TASK, offer])).toContain('Proposed, not accepted: paint the shed')
    expect(next([TASK, offer, ['User', 'Check it.'], ['Assistant', 'It is right.']])).not.toContain('paint the shed')
  })

  it('calls nothing finished beside a failure that stands', () => {
    const ran: Row[] = [
      ['Assistant tool calls', 'bash(command="npm test")'],
      ['Tool error', 'AssertionError: expected 429 to be 200\n\nexit code 1'],
      ['Assistant', 'The limiter is wired in.'],
    ]
    const next = (rows: Row[]): string => sectionOf(summary(rows), '## Next Steps')
    expect(next([TASK, ...ran])).toBe('1. Nothing is open but what failed; the last request was called finished.')
    expect(next([TASK, ['Assistant', 'The limiter is wired in.']])).toBe(
      '1. Nothing is open: the last request was finished.',
    )
  })

  it('reads task lists from any tool that keeps one', () => {
    const todos = [
      { content: 'Parse the list', status: 'completed' },
      { content: 'Check the prices', status: 'in_progress' },
      { content: 'Write the report', status: 'pending' },
    ]
    const text = summary([
      TASK,
      ['Assistant tool calls', `TodoWrite(todos=${JSON.stringify(todos)})`],
      ['Tool result', 'ok'],
    ])
    expect(sectionOf(text, '### Done')).toContain('- [x] Parse the list')
    expect(sectionOf(text, '### In Progress')).toContain('- [ ] Check the prices')
    expect(sectionOf(text, '## Next Steps')).toContain('1. Write the report')
  })

  it('ignores notes that extensions write in the name of the user', () => {
    const text = summary([
      TASK,
      ['Assistant', 'I looked at the list and it is fine so far.'],
      ['User', 'Prompt summary (3m 12s)'],
    ])
    expect(sectionOf(text, '## Goal')).toBe('- Newest request: Write the importer for the new price list.')
  })

  it('answers headings in other languages and leaves unknown ones without content', () => {
    const instructions = '## Objetivo\n[x]\n\n## 约束\n- [x]\n\n## Wetterbericht\n- [x]'
    const text = summary([['User', 'Import the list. Never round a price.']], { instructions })
    expect(sectionOf(text, '## Objetivo')).toContain('Import the list')
    expect(sectionOf(text, '## 约束')).toBe('- Never round a price.')
    expect(sectionOf(text, '## Wetterbericht')).toBe('- (none)')
  })

  it('masks secrets that stand in what it quotes', () => {
    const text = summary([['User', `Use the key ${'sk-'}${'a1B2'.repeat(6)} for the upload.`]])
    expect(text).toContain('Use the key [REDACTED] for the upload.')
  })

  it('ranks the sentences of a text without a conversation', () => {
    const text = summarizeExtractively({
      prompt: 'The gate was repaired. The crane needs a cable. The crane is old. '.repeat(4),
      maxTokens: 60,
    })
    expect(text).toContain('The crane needs a cable.')
    expect(text.split('The gate was repaired.').length).toBeLessThanOrEqual(2)
  })

  it('carries what a hook wants kept and places an earlier summary that stands in the transcript', () => {
    const rows: Row[] = [
      ['User', 'An earlier part was summarised:\n\n<summary>\n## Goal\nMove the bakery to the new oven\n</summary>'],
      TASK,
    ]
    const prompt = promptOf(rows).replace(
      'Summarise.',
      '<additional-context>\n- freeze on Friday\n</additional-context>\n\nSummarise.',
    )
    const text = summarizeExtractively({ prompt })
    expect(sectionOf(text, '## Goal')).toContain('- First request: Move the bakery to the new oven')
    expect(sectionOf(text, '## Critical Context')).toContain('- freeze on Friday')
  })
})
