import { expect, it } from 'vitest'
import { appOfFile } from '../../support/build-test-app.ts'
import { request } from '../../support/raw-http.ts'

const served = appOfFile()

const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'x' }

it.each([
  ['/v1/responses', 426, 'upgrade-required'],
  ['/v1/messages', 426, 'upgrade-required'],
  ['/nowhere', 404, 'not-found'],
])('nothingHere answers a WebSocket at %s with %i, which Codex does not try again', async (path, status, code) => {
  const answer = await request(`${served.url}${path}`, { method: 'GET', headers: upgrade })
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code])
})

it.each([
  ['GET', '/v1/messages', 405, 'invalid_request_error'],
  ['POST', '/v1/messages/count_tokens', 404, 'not_found_error'],
  ['POST', '/v1/messages/batches?limit=1', 404, 'not_found_error'],
])('%s %s fails in the shape of Anthropic', async (method, path, status, type) => {
  const answer = await request(`${served.url}${path}`, { method })
  const { type: kind, error } = JSON.parse(answer.body)
  expect([answer.status, kind, error.type]).toEqual([status, 'error', type])
})

it('other unknown paths keep the shape of a problem', async () => {
  const answer = await request(`${served.url}/v1/messagesque`, { method: 'GET' })
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'not-found', error: { type: 'invalid_request_error' } })
})
