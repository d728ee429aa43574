import { expect, it } from 'vitest'
import { isLoopback } from '../../src/http/loopback.ts'

it.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost.example.org', false],
  ['127.evil.example', false],
  ['127.0.0.1.example.org', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::1:2', false],
  ['::1f00:1', false],
  ['10.0.0.1', false],
  ['', false],
])('isLoopback: %s is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
