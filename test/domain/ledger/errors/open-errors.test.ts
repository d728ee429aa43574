import { expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const ASK: ToldStep = { user: 'Get the shop ready for Thursday.' }
const openIn = (...steps: ToldStep[]): string[] => ledger(told(ASK, ...steps)).openErrors.map(({ text }) => text)

const BROKEN = 'AssertionError: expected 3 to be 4'
const failing: ToldStep = { run: 'npx vitest run test/stock.test.ts', output: BROKEN, code: 1 }

it.each<[string, ToldStep[]]>([
  ['nothing followed', [failing]],
  ['only an edit followed', [failing, { edit: 'src/stock.ts' }]],
  ['only a build is green', [failing, { run: 'npm run build', output: 'built in 2 s' }]],
  ['another target is green', [failing, { run: 'npx vitest run test/mail.test.ts', output: '3 passed' }]],
  [
    'another turn followed',
    [failing, { says: 'It fails.' }, { user: 'Mend the link.' }, { edit: 'README.md' }, { says: 'Mended.' }],
  ],
])('openErrors keeps an error where %s', (_, steps) => {
  expect(openIn(...steps)).toEqual([BROKEN])
})

it.each<[string, ToldStep[]]>([
  ['the same command', [failing, { run: 'npx vitest run test/stock.test.ts', output: '6 passed' }]],
  ['a wider target', [failing, { run: 'npx vitest run', output: '31 passed' }]],
  ['the script of the package', [failing, { run: 'npm test', output: '31 passed' }]],
  ['an edit of the same file', [{ edit: 'a.ts', failed: 'Could not find the exact text in a.ts.' }, { edit: 'a.ts' }]],
  [
    'a green build after a type error',
    [
      { run: 'npx tsgo -p tsconfig.build.json', output: "src/a.ts(4,3): error TS2353: 'x' does not exist", code: 2 },
      { run: 'npm run build', output: 'done' },
    ],
  ],
  [
    'the failed part of a chain alone',
    [
      { run: 'npx tsc --noEmit && npm test', output: "src/a.ts(3,1): error TS2304: Cannot find name 'B'.", code: 2 },
      { run: 'npx tsc --noEmit' },
    ],
  ],
])('openErrors closes an error by %s', (_, steps) => {
  expect(openIn(...steps)).toEqual([])
})

it.each<[string, ToldStep]>([
  ['grep that found nothing', { run: 'grep -rn old src', code: 1 }],
  ['a missing file of ls', { run: 'ls docs', output: "ls: cannot access 'docs': No such file or directory", code: 2 }],
  ['a path alone', { run: 'npm run sprites', output: 'assets/index.html', code: 1 }],
  ['no output', { run: 'make assets', output: '(no output)', code: 3 }],
])('openErrors takes %s for no error', (_, step) => {
  expect(openIn(step)).toEqual([])
})

it('openErrors tells a silent failure of a command that changes something by its exit code', () => {
  expect(openIn({ run: 'make deploy', code: 3 })).toEqual(['ended with exit code 3, no output'])
})

it('openErrors keeps what failed in a chain open when only its first part is green again', () => {
  const chain: ToldStep = { run: 'npm run lint && npm test', output: `> eslint .\n FAIL x\n${BROKEN}`, code: 1 }
  expect(openIn(chain, { run: 'npm run lint' })).toEqual([BROKEN])
})
