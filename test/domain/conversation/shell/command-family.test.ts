import { expect, it } from 'vitest'
import { commandsOf, onlyLooks, workingCommands } from '../../../../src/domain/conversation/shell/command-family.ts'
import { failedPart, isBenignExit } from '../../../../src/domain/conversation/shell/failed-part.ts'

it.each([
  // Samples on which the two readers of the first house differed.
  ['git add -A && git commit -m x', true],
  ['npm run build', false],
  ['cp a b', true],
  ['docker build .', true],
  ['chmod +x a', true],
  ['git tag', false],
  ['git switch -c f', true],
  ['kubectl create ns x', true],
  ['rm -rf dist', false],
  ['terraform import a b', true],
  ['curl -X POST http://x', true],
  ['make install', true],
  ['systemctl status x', false],
  ['systemctl restart x', true],
  ['go mod tidy', true],
  ['prisma generate', false],
  // And the rest of the table.
  ['npm install zod', true],
  ['npx prisma migrate deploy', true],
  ['psql -c "DROP TABLE a"', true],
  ['gh pr create --title T', true],
  ['./deploy.sh staging', true],
  ['make deploy', true],
  ['npm run deploy:prod', true],
  ['git stash list', false],
  ['git log', false],
  ['npm test', false],
  ['docker ps', false],
  ['cat rm.txt', false],
  ['grep -rn "git push" .', false],
  ['echo "git push"', false],
  ['curl http://x', false],
])('%j changes something: %s', (command, changes) => {
  expect(commandsOf(command).some((part) => part.changes)).toBe(changes)
})

it.each([
  // Samples on which the two readers of the first house differed.
  ['ls /nope', 1, true],
  ['cat x | grep y', 1, true],
  ['kill 1', 1, false],
  ['ack foo', 1, true],
  ['[[ -f x ]]', 1, true],
  ['find . -name x', 1, true],
  ['git diff --exit-code', 1, true],
  // And the rest of the rule.
  ['grep x f', 1, true],
  ['grep x f', 2, true],
  ['cd a && grep -n x f', 1, true],
  ['npm test | grep failed', 1, true],
  ['npm test', 1, false],
  ['npm test && git diff', 1, false],
  ['npm test; ls nowhere', 2, true],
  ['command -v rg', 1, true],
  ['diff a b', 2, false],
  ['sleep 100', 130, true],
])('%j with exit code %i is an answer: %s', (command, code, benign) => {
  expect(isBenignExit(commandsOf(command), code)).toBe(benign)
})

it.each([
  ['cd src && rg -n error | head', true],
  ['git log --oneline && git status', true],
  ['cat a; npm test', false],
  ['node build.js', false],
  ['sed -n 1,5p a', true],
  ["sed -i 's/a/b/' a", false],
  ['curl http://x', true],
])('%j only looks: %s', (command, looks) => {
  expect(onlyLooks(commandsOf(command))).toBe(looks)
})

it.each([
  ['cd /repo && npm test 2>&1 | tail -20', 'npm test'],
  ['CI=1 FORCE=2 timeout 60 npm   test', 'npm test'],
  ['sudo make install || true', 'make install'],
  ['npm test; echo done', 'npm test'],
  ['set -euo pipefail; make', 'make'],
  ['bash -lc "npm test"', 'npm test'],
  ['git commit -m "one; two && three" && npm test', 'git commit -m "one; two && three" && npm test'],
  ['CI=1 sudo timeout 60 npm install left-pad 2>&1 | tail -3', 'npm install left-pad'],
])('the work of %j is %j', (command, plain) => {
  expect(
    workingCommands(commandsOf(command))
      .map(({ after, text }) => (after === '' ? text : `${after} ${text}`))
      .join(' ')
      .replace(/^(?:;|&&|\|\|) /, ''),
  ).toBe(plain)
})

it.each([
  ['npm test', ['test']],
  ['pnpm -C web run test:unit', ['test']],
  ['npx vitest run a.test.ts', ['test']],
  ['./node_modules/.bin/vitest run', ['test']],
  ['python -m pytest -q', ['test']],
  ['cargo test --all', ['test']],
  ['npx tsc --noEmit', ['check']],
  ['npm run typecheck', ['check']],
  ['git add -A && git commit -m x', ['git add', 'git commit']],
  ['python scripts/load.py --all', ['python scripts/load.py --all']],
])('the work of %j is of the families %j', (command, families) => {
  expect(workingCommands(commandsOf(command)).map(({ family }) => family)).toEqual(families)
})

it.each([
  ['npm run build && npm test', 'npm test'],
  ['npm test | tail -5', 'npm test'],
  ['make; ls x', 'ls x'],
  ['cd a && cat b', 'cat b'],
])('failedPart of %j is %j', (command, part) => {
  expect(failedPart(commandsOf(command))?.text).toBe(part)
})

it('commands of hostile length are read in bounded time', () => {
  for (const unit of ['A=1 ', 'cd x && ', ' | head', '2>&1 ', 'git ', 'psql ', ' ', "'", '"', '\\', '<<A\n', '$('])
    expect(() => workingCommands(commandsOf(unit.repeat(100_000)))).not.toThrow()
})
