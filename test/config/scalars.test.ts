import { describe, expect, it } from 'vitest'
import { scalarsOf, scalarValue } from '../../src/config/scalars.ts'
import { configSchema } from '../../src/config/schema.ts'

const rowOf = (variable: string, value: unknown = {}) =>
  scalarsOf(configSchema, value).find((scalar) => scalar.variable === variable)

describe('scalarsOf', () => {
  it.each([
    ['RECAPD_SERVER_PORT', { kind: 'number', nullable: false, defaultValue: 8484 }],
    ['RECAPD_SERVER_ADMIN_PORT', { kind: 'number', nullable: true, defaultValue: null }],
    ['RECAPD_SERVER_DOCS', { kind: 'boolean', nullable: false, defaultValue: true }],
    ['RECAPD_SERVER_TRUST_PROXY', { kind: 'string', nullable: false, defaultValue: false }],
    ['RECAPD_LOG_LEVEL', { kind: 'string', nullable: false, defaultValue: 'info' }],
    ['RECAPD_JOBS_WEBHOOK_URL', { kind: 'string', nullable: false, defaultValue: undefined }],
  ])('%s', (variable, row) => {
    expect(rowOf(variable)).toMatchObject(row)
  })

  const providers = { a: { headers: { 'x-y': '1' } }, r: { type: 'remote' } }
  it.each([
    ['RECAPD_PROVIDERS_A_BASE_URL', 'string'],
    ['RECAPD_PROVIDERS_A_HEADERS_X_Y', 'string'],
    ['RECAPD_PROVIDERS_R_URL', 'string'],
    ['RECAPD_PROVIDERS_R_BASE_URL', undefined],
    ['RECAPD_PROVIDERS_R_TYPE', undefined],
    ['RECAPD_PROVIDERS_B_BASE_URL', undefined],
    ['RECAPD_AUTH_KEYS', undefined],
  ])('of what is configured: %s is %s', (variable, kind) => {
    expect(rowOf(variable, { providers })?.kind).toBe(kind)
  })
})

describe('scalarValue', () => {
  const scalar = { path: [], variable: '', nullable: false, defaultValue: undefined, description: undefined }
  it.each([
    ['number', false, ' 5 ', 5],
    ['number', false, 'many', 'many'],
    ['number', true, '', null],
    ['number', true, 'null', null],
    ['boolean', false, 'ON', true],
    ['boolean', false, '0', false],
    ['boolean', false, 'perhaps', 'perhaps'],
    ['string', false, 'null', 'null'],
  ] as const)('%s, nullable %s: %j is %j', (kind, nullable, text, value) => {
    expect(scalarValue({ ...scalar, kind, nullable }, text)).toBe(value)
  })
})
