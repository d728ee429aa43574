import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auditSummary } from '../../../src/domain/summary/audit.ts'
import { regionFacts } from '../../../src/domain/summary/region-facts.ts'
import { textTokens } from '../../../src/domain/tokens/text-tokens.ts'
import { conversationOf, type ToldRow } from '../../support/conversation-of.ts'

const ASK = 'please move the relay to port 48213 and never touch the billing tables'
const user = (text: string): ToldRow[] => [{ role: 'user', text }]
const call = (name: string, args: Record<string, unknown>, result = 'ok', isError = false): ToldRow[] => [
  { role: 'assistant', text: '', calls: [{ name, args }] },
  { role: 'result', text: result, isError },
]
const region = (...rows: ToldRow[][]) => ({
  region: regionFacts(conversationOf(rows.flat())),
  source: rows.flat().map((row) => JSON.stringify(row)),
})
type Region = ReturnType<typeof region>
const audit = (summary: string, from: Region, budgetTokens = 13_107) => auditSummary({ summary, ...from, budgetTokens })
const VAGUE = '## Goal\nsome work\n\n## Next Steps\n1. go on'

test('auditSummary puts back what the answer left out, under one heading', () => {
  const { text, audit: found } = audit(VAGUE, region(user(ASK)))
  expect(text).toBe(`${VAGUE}\n\n## Kept Facts\n- Newest request: ${ASK}`)
  expect(found).toMatchObject({ facts: 3, kept: 0 })
  expect(found.restored.map((fact) => fact.kind)).toEqual(['request', 'constraint', 'link'])
})

test.each([
  ['verbatim', `## Goal\n${ASK}`],
  [
    'in other marks and case',
    '## Goal\n- **Move** the `relay` to port `48213`\n\n## Constraints\n- never touch the BILLING\n  tables',
  ],
  ['in other words', '## Goal\nThe relay is moving to port 48213; the billing tables must not be touched.'],
])('auditSummary leaves an answer alone that kept the facts %s', (_, summary) => {
  const { text, audit: found } = audit(summary, region(user(ASK)))
  expect(text).toBe(summary)
  expect(found.restored).toEqual([])
  expect(found.kept).toBe(found.facts)
})

test('auditSummary counts a request without its number as lost', () => {
  expect(
    audit('## Goal\nMove the relay to another port, never touch the billing tables', region(user(ASK))).audit.restored,
  ).not.toEqual([])
})

test('auditSummary restores modified files, open errors, the question and state-changing commands', () => {
  const from = region(
    user('Please repair the relay socket handling'),
    call('edit', { path: 'src/relay/socket.ts' }),
    call('bash', { command: 'make relay' }, 'relay.c:77: error: undefined reference to relay_open_v9', true),
    call('bash', { command: 'git push origin relay-fix' }),
    [{ role: 'assistant', text: 'Shall I drop the old handler?' }],
  )
  const { text, audit: found } = audit(VAGUE, from)
  expect(found.restored.map((fact) => fact.kind)).toEqual(['request', 'question', 'error', 'file', 'command'])
  for (const line of [
    'src/relay/socket.ts',
    '`make relay`: relay.c:77: error: undefined reference to relay_open_v9',
    'git push origin relay-fix',
    'Shall I drop the old handler?',
  ])
    expect(text).toContain(line)
})

test.each([
  ['its path', 'changed src/relay/socket.ts'],
  ['its path with a line', 'see `src/relay/socket.ts:77`.'],
  ['its unique tail', 'changed socket.ts'],
  ['a rooted path', 'changed /repo/src/relay/socket.ts'],
])('auditSummary knows a file by %s', (_, line) => {
  expect(audit(`## Done\n- ${line}`, region(call('write', { path: 'src/relay/socket.ts' }))).audit.kept).toBe(1)
})

test('auditSummary does not take another file of the same name for it', () => {
  const from = region(call('write', { path: 'a/index.ts' }), call('write', { path: 'b/index.ts' }))
  expect(audit('## Done\n- changed index.ts', from).audit.kept).toBe(0)
  expect(audit('## Done\n- changed other/index.ts', region(call('write', { path: 'a/index.ts' }))).audit.kept).toBe(0)
  expect(audit('## Done\n- changed a/index.ts', from).audit.kept).toBe(1)
})

test('auditSummary adds whole lines within a tenth of the budget and shortens only the request', () => {
  const words = 'keep the harbour crane schedule '
  const from = region(
    user('Never drop the crane index.'),
    user(words.repeat(40)),
    ...Array.from({ length: 30 }, (_, n) => call('write', { path: `src/crane/part-${n}.ts` })),
  )
  for (const budgetTokens of [100, 400, 1_000, 4_000]) {
    const { text, audit: found } = audit(VAGUE, from, budgetTokens)
    expect(textTokens(text) - textTokens(VAGUE)).toBeLessThanOrEqual(budgetTokens / 10)
    for (const fact of found.restored.filter(({ kind }) => kind !== 'request')) expect(text).toContain(`: ${fact.text}`)
  }
  expect(audit(VAGUE, from, 400).text).toContain('Newest request: keep the harbour')
})

test('auditSummary adds to a section that the model carried on and after a fence that was cut', () => {
  const carried = '## Goal\nx\n\n## Kept Facts\n- User constraint: old\n\n## Later\ny'
  expect(audit(carried, region(user(ASK))).text).toBe(
    `## Goal\nx\n\n## Kept Facts\n- User constraint: old\n- Newest request: ${ASK}\n\n## Later\ny`,
  )
  expect(audit('## Goal\n```sh\nmake', region(user(ASK))).text).toBe(
    `## Goal\n\`\`\`sh\nmake\n\`\`\`\n\n## Kept Facts\n- Newest request: ${ASK}`,
  )
})

test('auditSummary reports paths that stand nowhere in the source', () => {
  const from = {
    ...region(call('edit', { path: 'src/real/here.ts' })),
    source: ['edit src/real/here.ts', 'C:\\\\app\\\\x.cs'],
  }
  const summary =
    'edited src/real/here.ts:12, /repo/src/real/here.ts and (src/ghost/invented.ts); and/or https://x.org/a/b.html, `C:\\app\\x.cs`, v1.2/3, ./src/real/here.ts, old/prev.ts'
  const found = auditSummary({ summary, ...from, budgetTokens: 1_000, previousSummary: 'old/prev.ts' }).audit
  expect(found.unsupportedPaths).toEqual(['src/ghost/invented.ts'])
})

test('auditSummary reads scripts without spaces', () => {
  const from = region(user('请把中继服务迁移到端口48213，不要修改账单表'))
  expect(audit('## 目标\n把中继服务迁移到端口48213。不要修改账单表。', from).audit.restored).toEqual([])
  expect(audit('## 目标\n一些工作', from).audit.restored).not.toEqual([])
})

test('auditSummary never drops a word of the answer and never throws', () => {
  const text = fc
    .array(
      fc.constantFrom(
        '## Goal',
        '## Kept Facts',
        '```',
        '\n',
        'never do it',
        ' ',
        'src/a.ts',
        '<summary>',
        '?',
        '必ず',
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), fc.nat(3_000), (summary, asks, budget) => {
      const { text: result } = audit(summary, region(...asks.map(user)), budget)
      const left = result.split('\n').map((line) => line.trimEnd())
      for (const line of summary.trimEnd().split('\n')) if (line.trim() !== '') expect(left).toContain(line.trimEnd())
    }),
    { seed: 23, numRuns: 500 },
  )
})

test('auditSummary is stable: what it restored counts as kept the next time', () => {
  const from = region(user(ASK), call('edit', { path: 'src/relay/socket.ts' }), call('bash', { command: 'git push' }))
  const once = audit(VAGUE, from).text
  expect(audit(once, from).text).toBe(once)
})

test('auditSummary keeps up with hostile answers', () => {
  for (const unit of ['a/', 'a.b', '## Kept Facts\n', '```\n', ' ', '*', ':', '\\', '.', 'a-']) {
    const summary = unit.repeat(300_000 / unit.length)
    expect(audit(summary, region(user(ASK), call('write', { path: unit.repeat(100) }))).text.length).toBeGreaterThan(0)
  }
})
