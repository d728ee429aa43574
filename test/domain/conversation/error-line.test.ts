import { expect, test } from 'vitest'
import { errorLineOf, exitCodeOf } from '../../../src/domain/conversation/error-line.ts'
import type { RegionCall } from '../../../src/domain/conversation/tool-event.ts'

const bash = (command: string, result: string, failed = false): RegionCall => ({
  kind: 'call',
  name: 'bash',
  args: { command },
  failed,
  result,
})

test.each([
  ['Command exited with code 2', 2],
  ['Exit code 1\nboom', 1],
  ['{"output":"x","metadata":{"exit_code":127}}', 127],
  ['<returncode>3</returncode>', 3],
  ['process exited with code 1 … later exit code: 0', 0],
  ['nothing here', null],
])('exitCodeOf reads %j', (result, code) => {
  expect(exitCodeOf(result)).toBe(code)
})

test.each([
  [
    'a compiler error',
    bash('make', 'cc -c x.c\nrelay.c:77: error: undefined reference to relay_open_v9\nmake: *** [x] Error 1', true),
    'relay.c:77: error: undefined reference to relay_open_v9',
  ],
  [
    'the end of a traceback',
    bash(
      'python x.py',
      'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    raise ValueError("a")\nValueError: a',
    ),
    'ValueError: a',
  ],
  [
    'a test runner',
    bash(
      'npm test',
      ' ✓ a\n FAIL  test/a.test.ts > refills\nAssertionError: expected 429 to be 200\n\nCommand exited with code 1',
    ),
    'FAIL test/a.test.ts > refills',
  ],
  ['colours', bash('x', '\u001b[31merror:\u001b[0m bad flag', true), 'error: bad flag'],
  [
    'banners are passed over',
    bash('npm run b', '> app@1.0.0 b\n> tsc\n\nsrc/a.ts(1,1): error TS2304: no name\n\nCommand exited with code 2'),
    'src/a.ts(1,1): error TS2304: no name',
  ],
  ['nothing told', bash('./long', `${'all is well\n'.repeat(9)}Command exited with code 9`), 'exit code 9'],
  [
    'another tool',
    { kind: 'call', name: 'deploy', args: {}, failed: true, result: 'quota exceeded for region eu' } as const,
    'quota exceeded for region eu',
  ],
])('errorLineOf: %s', (_, call, line) => {
  expect(errorLineOf(call)?.replace(/\s+/g, ' ').trim()).toBe(line)
})

test.each([
  ['success', bash('make', 'error: 0 warnings\nCommand exited with code 0', true)],
  ['no failure marked', bash('cat log', 'ERROR: old line of a log')],
  ['grep that found nothing', bash('cd x && grep -rn foo src | head', 'Command exited with code 1', true)],
  ['diff', bash('git diff --exit-code', '-a\n+b\nCommand exited with code 1')],
  ['test', bash('[ -f x ]', 'Exit code 1')],
  ['a search without an exit code', bash('rg foo', '', true)],
  [
    'looking for what is not there',
    bash('rm -f a; ls a', "ls: cannot access 'a': No such file or directory\n\nCommand exited with code 2", true),
  ],
  ['stopped by the user', bash('sleep 9', 'Command aborted', true)],
  ['refused by the user', bash('git add x', "The user doesn't want to proceed with this tool use.", true)],
])('errorLineOf: %s is no error', (_, call) => {
  expect(errorLineOf(call)).toBe(null)
})

test('errorLineOf reports a search that itself broke', () => {
  expect(errorLineOf(bash('grep "[" x', 'grep error: Unmatched [\nCommand exited with code 2', true))).toContain(
    'Unmatched',
  )
})
