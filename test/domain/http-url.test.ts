import { expect, it } from 'vitest'
import { baseUrl, httpUrl } from '../../src/domain/http-url.ts'

it.each([
  ['http://127.0.0.1:11434/v1', true, true],
  ['https://API.example:443/v1', true, true],
  ['https://api.example/hook?token=x', true, false],
  ['https://api.example/v1#x', true, false],
  ['https://user:password@api.example/v1', false, false],
  ['https://user@api.example/v1', false, false],
  ['ftp://api.example', false, false],
  ['api.example', false, false],
])('httpUrl and baseUrl take %s: %s, %s', (text, asUrl, asBase) => {
  expect([httpUrl.safeParse(text).success, baseUrl.safeParse(text).success]).toEqual([asUrl, asBase])
})
