import { describe, expect, it } from 'vitest'
import { changingPart, isBenignExit, onlyLooks } from '../../../src/domain/conversation/command-kinds.ts'
import { chainOf, commandFamilies, commandOf, normalizedCommand } from '../../../src/domain/conversation/commands.ts'

describe('commandOf', () => {
  it.each([
    [{ command: ' npm test ' }, 'npm test'],
    [{ cmd: 'ls' }, 'ls'],
    [{ command: ['bash', '-lc', 'npm test && ls'] }, 'npm test && ls'],
    [{ command: ['git', 'status'] }, 'git status'],
    [{ path: 'x' }, ''],
  ])('of %j is %j', (args, command) => {
    expect(commandOf({ name: 'bash', args })).toBe(command)
  })
})

describe('normalizedCommand', () => {
  it.each([
    ['cd /a/b && npm test 2>&1 | tail -20', 'npm test'],
    ['CI=1 FORCE=2 timeout 60 npm   test', 'npm test'],
    ['npm test; echo done', 'npm test'],
    ['set -euo pipefail; make', 'make'],
    ['npm test', 'npm test'],
  ])('of %j is %j', (command, plain) => {
    expect(normalizedCommand(command)).toBe(plain)
  })
})

describe('chainOf', () => {
  it('splits at separators, not inside quotes', () => {
    expect(chainOf('cd a && git commit -m "one; two && three" && npm test')).toEqual([
      'git commit -m "one; two && three"',
      'npm test',
    ])
    expect(chainOf("echo x; sed 's/a;b/c/' f\nmake")).toEqual(["sed 's/a;b/c/' f", 'make'])
  })
})

describe('commandFamilies', () => {
  it.each([
    ['npm test', ['test']],
    ['pnpm -C web run test:unit', ['test']],
    ['npx vitest run a.test.ts', ['test']],
    ['python -m pytest -q', ['test']],
    ['cargo test --all', ['test']],
    ['npx tsc --noEmit', ['check']],
    ['npm run typecheck', ['check']],
    ['git add -A && git commit -m x', ['git add', 'git commit']],
    ['python scripts/load.py --all', ['python scripts/load.py --all']],
  ])('of %j are %j', (command, families) => {
    expect(commandFamilies(command)).toEqual(families)
  })
})

describe('isBenignExit', () => {
  it.each([
    ['grep x f', 1, true],
    ['grep x f', 2, false],
    ['npm test | grep failed', 1, true],
    ['npm test', 1, false],
    ['npm test; ls nowhere', 2, true],
    ['sleep 100', 130, true],
  ])('of %j with %i is %s', (command, code, benign) => {
    expect(isBenignExit(command, code)).toBe(benign)
  })
})

describe('onlyLooks', () => {
  it.each([
    ['cd src && rg -n error | head', true],
    ['git log --oneline && git status', true],
    ['cat a; npm test', false],
    ['node build.js', false],
  ])('of %j is %s', (command, looks) => {
    expect(onlyLooks(command)).toBe(looks)
  })
})

describe('changingPart', () => {
  it.each([
    ['cd a && git add -A && git commit -m "fix" && git push', 'git commit -m "fix" && git push'],
    ['gh pr create --title "T" --body "long\ntext"', 'gh pr create --title "T"'],
    ['npm install zod', 'npm install zod'],
    ['rm -rf dist', null],
    ['git status && ls', null],
    ['echo "git push"', null],
  ])('of %j is %j', (command, part) => {
    expect(changingPart(command)).toBe(part)
  })
})
