import { describe, expect, it } from 'vitest'
import { errorLines, exitCodeOf, tellsFailure } from '../../../src/domain/conversation/error-lines.ts'

describe('exitCodeOf', () => {
  it.each([
    ['x\n\nCommand exited with code 2', 2],
    ['{"output": "x", "exit_code": 127}', 127],
    ['<returncode>1</returncode>', 1],
    ['Process exited with code 0', 0],
    ['exit code: 3', 3],
    ['all fine', null],
    [`Command exited with code 1\n${'x'.repeat(50)}`, 1],
  ])('of %j is %j', (result, code) => {
    expect(exitCodeOf(result)).toBe(code)
  })
})

it('exitCodeOf looks at the two ends only, since the middle is content', () => {
  const far = 'x '.repeat(500)
  expect(exitCodeOf(`${far}exited with code 1 ${far}`)).toBeNull()
  expect(exitCodeOf(`exited with code 1 ${far}`)).toBe(1)
})

describe('errorLines', () => {
  it('takes known shapes only, in their order, no line twice', () => {
    const output =
      'start\nerror: no\nTypeError: a is not b\nfound 3 errors in text about errors\nTypeError: a is not b\nfatal: end'
    expect(errorLines(output, 2)).toEqual(
      ['TypeError: a is not b', 'error: no'].toSorted((a, b) => output.indexOf(a) - output.indexOf(b)),
    )
  })

  it.each([
    'throw new Error("x: y")',
    '  12| Error: in a listing',
    '+ Error: in a diff',
    '0 errors',
    'console.error("Error: x")',
    'const e = TypeError',
  ])('takes %j for no error', (line) => {
    expect(errorLines(line, 3)).toEqual([])
  })
})

describe('tellsFailure', () => {
  it.each([
    ['Error: ENOENT: no such file', true],
    ['Could not find the exact text in a.ts.', true],
    ['Successfully replaced text in a.ts.', false],
    ['export class ErrorPage {}', false],
  ])('of %j is %s', (result, fails) => {
    expect(tellsFailure(result)).toBe(fails)
  })
})
