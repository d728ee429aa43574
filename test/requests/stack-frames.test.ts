import { expect, it } from 'vitest'
import { stackFrames } from '../../src/requests/stack-frames.ts'

it('stackFrames says where, and nothing of the message, whatever its lines look like', () => {
  const frames = stackFrames(new RangeError('quoted conversation\n    at the beginning (of:1:1)'))
  expect(frames).toMatch(/^\s+at .*stack-frames\.test\.ts:/)
  expect(frames).not.toMatch(/conversation|beginning|RangeError/)
})

it('stackFrames keeps a message out that was changed after the error was made', () => {
  const error = new Error('first\n    words')
  error.message = 'other'
  expect(stackFrames(error)).not.toMatch(/first|words|other/)
})

it.each([undefined, null, 'text', { stack: '    at secret' }])(
  'stackFrames is empty for what is no error: %j',
  (thrown) => {
    expect(stackFrames(thrown)).toBe('')
  },
)
