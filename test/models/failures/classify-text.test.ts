import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { classifyText } from '../../../src/models/failures/classify-text.ts'
import type { AttemptOutcome } from '../../../src/models/model.ts'

const NOW = 1_700_000_000_000

/** Public texts of failures with what they must be taken for; times in a text are relative to now. */
interface Row {
  readonly id: string
  readonly message: string
  readonly status?: number
  readonly want: AttemptOutcome | readonly AttemptOutcome[]
  readonly retryAfterMs?: number
}
const FIXTURE = new URL('../../fixtures/failures/provider-failures.json', import.meta.url)
const ROWS: readonly Row[] = JSON.parse(readFileSync(FIXTURE, 'utf8'))

const atNow = (message: string) =>
  message.replace(/\{\{(epochMs|epochS|iso)\+(\d+)\}\}/g, (_, kind: string, delta: string) => {
    const then = NOW + Number(delta)
    if (kind === 'epochS') return String(Math.round(then / 1000))
    return kind === 'iso' ? new Date(then).toISOString() : String(then)
  })

/** Wordings of the same kinds that are not in the fixture: text, status, class, hint. */
const MORE: readonly (readonly [string, number | undefined, AttemptOutcome, number?])[] = [
  [
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens',
    422,
    'overflow',
  ],
  [
    'Unable to submit request because the input token count is 40000 but model only supports up to 32767.',
    400,
    'overflow',
  ],
  ['Malformed input request: expected maxLength: 100000, actual: 213000, please reformat', 400, 'overflow'],
  ['stream error: insufficient_quota', undefined, 'quota'],
  ['429 insufficient_quota', 429, 'quota'],
  ['Request body too large for gpt-4o model. Max size: 8000 tokens.', 413, 'overflow'],
  ["Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760", 400, 'overflow'],
  [
    'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    400,
    'overflow',
  ],
  ['Prompt exceeds max length', 400, 'overflow'],
  ['Invalid request: Your request exceeded model token limit: 262144', 400, 'overflow'],
  ['Range of input length should be [1, 98304]', 400, 'overflow'],
  ['Key limit exceeded (total limit). Manage it using the page of keys', 403, 'quota'],
  ['You have exceeded your monthly included credits for Inference Providers', 429, 'quota'],
  ['getaddrinfo ENOTFOUND api.example.com', undefined, 'network'],
  ['Premature close', undefined, 'network'],
  ['The operation was aborted due to timeout', undefined, 'timeout'],
  ['This operation was aborted', undefined, 'aborted'],
  ['Unexpected end of JSON input', undefined, 'bad_response'],
  ['The response was blocked due to SAFETY', undefined, 'refused'],
  ['模型的上下文长度超过限制', 400, 'overflow'],
  [
    'litellm.ContextWindowExceededError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    500,
    'overflow',
  ],
  [
    '413 {"error":{"message":"Request too large for model `x` on tokens per minute (TPM): Limit 8000, Requested 21345, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}',
    undefined,
    'overflow',
  ],
  [
    '413 {"error":{"message":"Request too large on tokens per minute (TPM): Limit 30000, Used 29000, Requested 2000"}}',
    undefined,
    'rate_limited',
  ],
  ['ThrottlingException: Too many tokens, please wait before trying again.', 400, 'rate_limited'],
  ['max_tokens is too large: 100000. This model supports at most 16384 completion tokens', 400, 'bad_request'],
  ["Invalid 'tools[3].function.description': string too long.", 400, 'bad_request'],
  ['messages.1.content.0.image.source: image too large', 400, 'bad_request'],
  [
    'Rate limit reached on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.',
    429,
    'rate_limited',
    432_000,
  ],
  ['Rate limit reached on requests per day (RPD): Limit 200, Used 200, Requested 1.', 429, 'quota'],
  ['Quota exceeded for metric: generate_requests_per_minute', 429, 'rate_limited'],
  ['{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_in_seconds":120}}', 429, 'rate_limited', 120_000],
  ['{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_in_seconds":20000}}', 429, 'quota', 20_000_000],
  ['{"error":{"message":"Slow down","resets_at":1700005400}}', 429, 'rate_limited', 5_400_000],
  [
    '{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"busy\\",\\"retry_after_ms\\":2500}}"}}}',
    503,
    'server_error',
    2_500,
  ],
  [
    '{"error":{"details":[{"retryDelay":{"seconds":"12","nanos":500000000}}],"status":"RESOURCE_EXHAUSTED"}}',
    429,
    'rate_limited',
    12_500,
  ],
  ['Too many requests. Please wait 42 seconds', 429, 'rate_limited', 42_000],
  ['Limit resets at 2023-11-14T22:14:20Z; rate limit exceeded', 429, 'rate_limited', 60_000],
  ['Try again in 1 hour 5 minutes; rate limit exceeded', 429, 'rate_limited', 3_900_000],
  ['Your account has an insufficient balance. Top up to continue', 500, 'quota'],
  ['账户余额不足，请充值', 400, 'quota'],
  ['您的请求过于频繁，请稍后再试', 400, 'rate_limited'],
  ['The model is still loading', 400, 'server_error'],
  ['gpt-3 has been decommissioned: the model gpt-3 has been deprecated', 400, 'not_found'],
  ['Your prompt was flagged as potentially violating our usage policy', 400, 'refused'],
  ['Secondary rate limit exceeded', 403, 'rate_limited'],
]

describe('classifyText', () => {
  it.each(ROWS.map((row) => [row.id, row] as const))('judges %s as the provider means it', (_id, row) => {
    const verdict = classifyText({ message: atNow(row.message), status: row.status }, NOW)
    expect([row.want].flat()).toContain(verdict.class)
    if (row.retryAfterMs !== undefined)
      expect(Math.abs((verdict.retryAfterMs ?? -1) - row.retryAfterMs)).toBeLessThan(1000)
  })

  const more = MORE.map(([message, status, name, retryAfterMs]) => ({ message, status, name, retryAfterMs }))
  it.each(more)('$message', ({ message, status, name, retryAfterMs }) => {
    const verdict = classifyText({ message, status }, NOW)
    expect(verdict.class).toBe(name)
    if (retryAfterMs !== undefined) expect(verdict.retryAfterMs).toBe(retryAfterMs)
  })

  it.each<readonly [string, number | undefined, AttemptOutcome, boolean]>([
    ['prompt is too long: 213462 tokens > 200000 maximum', 400, 'overflow', false],
    ['Request Entity Too Large', 413, 'overflow', false],
    ['400 status code (no body)', undefined, 'overflow', false],
    ['413 status code (no body)', undefined, 'overflow', false],
    ['429 Too many tokens per minute: the request exceeds your limit', 429, 'rate_limited', true],
    ['429 {"error":{"message":"slow down","type":"rate_limit_error"}}', undefined, 'rate_limited', true],
    ['400 {"error":{"code":"context_length_exceeded","message":"x"}}', undefined, 'overflow', false],
    ['Internal server error', 500, 'server_error', true],
    ['Remote compaction failed (502 Bad Gateway)', undefined, 'server_error', true],
    ['invalid api key', 401, 'auth', false],
    ['Input is too long for requested model.', undefined, 'overflow', false],
    ['fetch failed', undefined, 'network', true],
    ['Request timed out.', undefined, 'timeout', true],
    ['Request was aborted.', undefined, 'aborted', false],
  ])('%s', (message, status, name, retryable) => {
    const verdict = classifyText({ message, status }, NOW)
    expect(verdict).toEqual({ class: name, isOverflow: name === 'overflow', retryable, retryAfterMs: null })
  })

  it('gives the hint an agent finds in the text', () => {
    const verdict = classifyText({ message: '429 Rate limit reached, try again in 1.5s' }, NOW)
    expect(verdict).toEqual({ class: 'rate_limited', isOverflow: false, retryable: true, retryAfterMs: 1500 })
  })
})
