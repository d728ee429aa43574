import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MASK, redact } from '../../../src/domain/text/redact.ts'
import { propertyRuns } from '../../support/property-runs.ts'

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const mixed = (length: number): string => 'aB3dE6gH9k'.repeat(Math.ceil(length / 10)).slice(0, length)
const upper = (length: number): string => 'A2C4E6G8'.repeat(Math.ceil(length / 8)).slice(0, length)
const pem = (name: string, body: string): string => `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----`

const VENDOR_KEYS: readonly (readonly [string, string])[] = [
  ['OpenAI', `sk-${mixed(48)}`],
  ['OpenAI project', `sk-proj-${mixed(40)}`],
  ['Anthropic', `sk-ant-api03-${mixed(40)}`],
  ['GitHub', `ghp_${mixed(36)}`],
  ['GitHub app', `ghs_${mixed(36)}`],
  ['GitHub fine-grained', `github_pat_${mixed(60)}`],
  ['Slack', `xoxb-${mixed(24)}`],
  ['Google', `AIza${mixed(35)}`],
  ['AWS', `AKIA${upper(16)}`],
  ['AWS temporary', `ASIA${upper(16)}`],
  ['GitLab', `glpat-${mixed(20)}`],
  ['npm', `npm_${mixed(36)}`],
  ['Hugging Face', `hf_${mixed(34)}`],
  ['PyPI', `pypi-${mixed(60)}`],
  ['SendGrid', `SG.${mixed(22)}.${mixed(43)}`],
  ['Groq', `gsk_${mixed(52)}`],
  ['xAI', `xai-${mixed(80)}`],
  ['Stripe', `sk_live_${mixed(24)}`],
  ['Stripe restricted', `rk_live_${mixed(24)}`],
  ['age', `AGE-SECRET-KEY-1${upper(58)}`],
  ['Telegram', `123456789:AA${mixed(33)}`],
  ['Slack hook', `hooks.slack.com/services/T0/B0/${mixed(24)}`],
  ['JWT', `eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`],
]

describe('redact', () => {
  it.each(VENDOR_KEYS)('masks a key of %s, in prose, in quotes and in JSON', (_, key) => {
    expect(redact(`use ${key} now`)).toBe(`use ${MASK} now`)
    expect(redact(`key is "${key}".`)).toBe(`key is "${MASK}".`)
    expect(redact(JSON.stringify({ command: `echo ${key}` }))).toBe(JSON.stringify({ command: `echo ${MASK}` }))
  })

  const value = mixed(14)
  it.each([
    [`Authorization: Bearer ${value}`, `Authorization: Bearer ${MASK}`],
    [`-H "Authorization: Basic ${value}="`, `-H "Authorization: Basic ${MASK}"`],
    [`"x-api-key": "${value}"`, `"x-api-key": "${MASK}"`],
    [`x-api-key: ${value}`, `x-api-key: ${MASK}`],
    [`Bearer ${value}`, `Bearer ${MASK}`],
    ['export DB_PASSWORD=swordfish', `export DB_PASSWORD=${MASK}`],
    [`OPENAI_API_KEY=${value} npm start`, `OPENAI_API_KEY=${MASK} npm start`],
    [`aws_secret_access_key = ${mixed(40)}`, `aws_secret_access_key = ${MASK}`],
    ['"apiKey": "hunter"', `"apiKey": "${MASK}"`],
    ['{\\"apiKey\\": \\"hunter\\"}', `{\\"apiKey\\": \\"${MASK}\\"}`],
    ["clientSecret: 'hunter'", `clientSecret: '${MASK}'`],
    ['db:\n  password: swordfish\n  port: 1', `db:\n  password: ${MASK}\n  port: 1`],
    ['password: hunter2!', `password: ${MASK}`],
    ['postgres://app:swordfish@db:5432/x', `postgres://app:${MASK}@db:5432/x`],
    [`https://${mixed(20)}@git.example.com/a.git`, `https://${MASK}@git.example.com/a.git`],
    [
      `https://a.example.com/x?page=2&access_token=${value}#top`,
      `https://a.example.com/x?page=2&access_token=${MASK}#top`,
    ],
    [`tool --api-key ${value} run`, `tool --api-key ${MASK} run`],
    ['curl -u me:swordfish https://a.example.com', `curl -u me:${MASK} https://a.example.com`],
    ['AccountKey=abc/def==;EndpointSuffix=x', `AccountKey=${MASK};EndpointSuffix=x`],
  ])('masks the secret in %j', (text, masked) => {
    expect(redact(text)).toBe(masked)
  })

  it('masks private keys whole, also where a transcript cut their end off', () => {
    const body = `${mixed(64)}\n${mixed(64)}`
    expect(redact(`a\n${pem('RSA PRIVATE KEY', body)}\nb`)).toBe(`a\n${MASK}\nb`)
    expect(redact(`a\n-----BEGIN PRIVATE KEY-----\n${body}`)).toBe(`a\n${MASK}`)
    expect(redact(pem('CERTIFICATE', body))).toBe(pem('CERTIFICATE', body))
  })

  it.each([
    'Secretary: Miss Moneypenny',
    'the tokenizer: fast and small',
    'max_tokens: 500, maxTokens=4096',
    'function login(token: string, password: string): Promise<Token>',
    'const token = await getToken(request.headers.authorization)',
    'password = process.env.DB_PASSWORD',
    'PASSWORD=$DB_PASSWORD TOKEN=${TOKEN} KEY=%KEY%',
    'token == null && secret !== undefined',
    'apiKey: config.apiKey, secret: self.secret',
    'password: z.string().min(8)',
    'The password must be at least eight characters long.',
    'Authorization: the user has to be an admin',
    'Bearer authentication is used',
    '"apiKey": "YOUR_API_KEY"',
    'export KEY_FILE=/run/secrets/key',
    'api_key: <your key>',
    `password: ${MASK}`,
    'PWD=/home/me OLDPWD=/tmp',
    'a 1-million-token context, ID-token verification',
    'task-force-of-twenty-people-in-one-room',
    'git@github.com:a/b.git https://example.com:8080/a@b',
    'sk-learn-estimators-are-not-keys',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toBe(text)
  })

  const piece = fc.oneof(
    fc.constantFrom(
      'password',
      'token',
      'api_key',
      'Authorization',
      'Bearer ',
      '=',
      ': ',
      '"',
      "'",
      '\\',
      '[',
      ']',
      MASK,
      '://',
      '@',
      '?',
      '&',
      'key=',
      ' ',
      '\n',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'sk-',
      mixed(24),
      'eyJ',
      '.',
      '--token ',
      '-u a:',
      '$',
      '{',
    ),
    fc.string({ maxLength: 8 }),
  )
  const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))

  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (each) => {
        const once = redact(each)
        expect(redact(once)).toBe(once)
      }),
      { seed: 4711, numRuns: propertyRuns(2000) },
    )
  })

  it('leaves no vendor key in any surroundings that are no part of a word', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VENDOR_KEYS), text, text, ([, key], before, after) => {
        expect(redact(`${before} ${key} ${after}`)).not.toContain(key)
      }),
      { seed: 4712, numRuns: propertyRuns(600) },
    )
  })

  it.each([
    'token=',
    '"token":"',
    'password: ',
    '://a:',
    '://a@',
    '-----BEGIN PRIVATE KEY-----',
    'eyJaaaaaaaaa.',
    'bearer ',
    '?key=',
    '-u a:',
    'sk-A ',
  ])('does work in proportion to the text for %j again and again', (unit) => {
    // Quadratic work on two megabytes takes minutes, so the time limit of a test is the measure.
    const long = unit.repeat(Math.ceil(2_000_000 / unit.length))
    expect(redact(long).length).toBeGreaterThan(0)
  })
})
