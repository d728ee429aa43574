import { expect, test } from 'vitest'
import { changesOf, commandOf, normalizeCommand } from '../../../src/domain/conversation/shell-command.ts'

test('commandOf reads the shells of different agents', () => {
  const call = (name: string, args: Record<string, unknown>) =>
    commandOf({ kind: 'call', name, args, failed: false, result: '' })
  expect(call('Bash', { command: ' make ' })).toBe('make')
  expect(call('exec_command', { cmd: 'ls' })).toBe('ls')
  expect(call('shell', { command: ['bash', '-lc', 'npm test'] })).toBe('npm test')
  expect(call('shell', { command: ['git', 'push'] })).toBe('git push')
  expect(call('read', { command: 'make' })).toBe('')
  expect(call('bash', { command: 7 })).toBe('')
})

test.each([
  ['cd /repo && npm test 2>&1 | tail -20', 'npm test'],
  ['CI=1 timeout 60  npm   test', 'npm test'],
  ['sudo make install || true', 'make install'],
  ['npm test', 'npm test'],
])('normalizeCommand makes %j %j', (command, wanted) => {
  expect(normalizeCommand(command)).toBe(wanted)
})

test('changesOf keeps the parts that changed something', () => {
  expect(changesOf('cd x && git add -A && git commit -m "fix: a" && git push origin main; git status')).toEqual([
    'git commit -m "fix: a"',
    'git push origin main',
  ])
  expect(changesOf('git commit -m "$(cat <<\'EOF\'\nfeat: relay\n\nbody\nEOF\n)"')).toEqual([
    'git commit -m "feat: relay',
  ])
  expect(changesOf('npm install left-pad\npsql -c "DROP TABLE a"\ncurl -X POST http://localhost/x')).toHaveLength(3)
})

test.each([
  'ls -la',
  'git status',
  'git stash list',
  'git log',
  'npm test',
  'docker ps',
  'cat rm.txt',
  'grep -rn "git push" .',
  'curl http://x',
])('changesOf: %j changed nothing', (command) => {
  expect(changesOf(command)).toEqual([])
})

test('normalizeCommand and changesOf keep up with hostile input', () => {
  for (const unit of ['A=1 ', 'cd x && ', ' | head', '2>&1 ', 'git ', 'psql ', ' '])
    expect(() => changesOf(unit.repeat(100_000)).concat(normalizeCommand(unit.repeat(100_000)))).not.toThrow()
})
