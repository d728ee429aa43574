import { expect, it } from 'vitest'
import { requestHeaders, responseHeaders } from '../../../../src/http/faces/proxy/pass-headers.ts'

it('requestHeaders keeps spelling, order and repeats, and takes off what belongs to our connection', () => {
  const raw = [
    'Host',
    'us',
    'Connection',
    'close, x-mine',
    'X-Mine',
    'm',
    'TE',
    'trailers',
    'Cookie',
    'a=1',
    'cookie',
    'b=2',
  ]
  expect(requestHeaders([...raw, 'Expect', '100-continue', 'X-Kept', 'yes'], () => false)).toEqual([
    'Cookie',
    'a=1',
    'cookie',
    'b=2',
    'X-Kept',
    'yes',
  ])
})

it('requestHeaders takes off our key and leaves the credentials of the caller', () => {
  const isOurs = (name: string, value: string) => name === 'x-api-key' && value === 'ours'
  expect(requestHeaders(['X-Api-Key', 'ours', 'Authorization', 'Bearer sk'], isOurs)).toEqual([
    'Authorization',
    'Bearer sk',
  ])
})

it('responseHeaders takes off hop-by-hop headers and those that Connection names', () => {
  const raw = ['Connection', 'x-hop', 'X-Hop', 'u', 'Trailer', 't', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']
  expect(responseHeaders(raw)).toEqual(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
})
