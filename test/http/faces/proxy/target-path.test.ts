import { expect, it } from 'vitest'
import { targetPath } from '../../../../src/http/faces/proxy/target-path.ts'

it.each([
  ['', '', '/'],
  ['/', '/v1/messages', '/v1/messages'],
  ['/base/path', '/v1/x/a%2Fb%20c?q=%2F..%2F&b=1', '/base/path/v1/x/a%2Fb%20c?q=%2F..%2F&b=1'],
  ['/base/', '', '/base'],
  ['', '?beta=true', '/?beta=true'],
  ['', '/v1/...', '/v1/...'],
])('targetPath puts the path behind the upstream: %j + %j', (base, rest, target) => {
  expect(targetPath(base, rest)).toBe(target)
})

it.each([
  '/../s',
  '/..%2f..%2fs',
  '/%2e%2e/s',
  '/v1/%2e%2e%2fs',
  '/..\\s',
  '/..%5cs',
  '/.%2e/s',
  '/%252e%252e/s',
  '/./s',
  '/%zz',
])('targetPath refuses %s', (rest) => {
  expect(targetPath('/base', rest)).toBeNull()
})
