import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/models/failures/classify.ts'
import type { AttemptOutcome } from '../../../src/models/model.ts'
import { ResponseExceededMaxSizeError } from '../../../src/models/transport/connection-pool.ts'

const NOW = 1_700_000_000_000
const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

/** One row a provider shape: name, status, body. */
const OVERFLOW: readonly (readonly [string, number | undefined, unknown])[] = [
  [
    'Anthropic',
    400,
    {
      type: 'error',
      ...error('prompt is too long: 213462 tokens > 200000 maximum', { type: 'invalid_request_error' }),
    },
  ],
  [
    'Anthropic, input and output',
    400,
    error('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'),
  ],
  ['Anthropic, bytes', 400, error('messages: too many total text bytes: 9437184 > 9000000')],
  ['Anthropic, request size', 413, error('Request exceeds the maximum size', { type: 'request_too_large' })],
  ['OpenAI by code alone', 400, error('no words', { code: 'context_length_exceeded' })],
  [
    'OpenAI chat',
    400,
    error("This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens."),
  ],
  [
    'OpenAI responses',
    400,
    error('Your input exceeds the context window of this model. Please adjust your input and try again.'),
  ],
  ['OpenAI configured cap', 400, error('Input tokens exceed the configured limit of 272000 tokens.')],
  ['OpenAI size, no body', 413, undefined],
  [
    'ChatGPT plan, nested in an event',
    undefined,
    { response: { error: { code: 'context_length_exceeded', message: 'x' } } },
  ],
  [
    'Gemini',
    400,
    error('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', {
      status: 'INVALID_ARGUMENT',
    }),
  ],
  [
    'Gemini, OpenAI face: a list',
    400,
    [error('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).')],
  ],
  ['Bedrock', 400, { __type: 'ValidationException', message: 'Input is too long for requested model.' }],
  ['Bedrock, limits', 400, { message: 'The maximum tokens you requested exceeds the model limit of 4096.' }],
  ['Bedrock, sums', 400, { message: 'The total number of tokens in your request exceeds the limit.' }],
  [
    'Bedrock, as a stream event',
    undefined,
    { type: 'validationException', value: { message: 'Input is too long for requested model.' } },
  ],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  ['Groq', 400, error('Please reduce the length of the messages or completion.')],
  [
    'OpenRouter',
    400,
    error("This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.", {
      code: 400,
    }),
  ],
  ['OpenRouter, either one', 400, error('Your request is too long, please reduce the length of either one')],
  [
    'OpenRouter, the original in a string',
    400,
    error('Provider returned error', {
      metadata: { raw: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}' },
    }),
  ],
  ['SambaNova', 400, error('ContextLengthError: the maximum context length of the model is 16384')],
  [
    'llama.cpp',
    400,
    error('the request exceeds the available context size, try increasing it', {
      code: 400,
      type: 'exceed_context_size_error',
    }),
  ],
  ['llama.cpp, n_ctx', 500, error('prompt needs 9000 tokens but n_ctx is 4096')],
  [
    'LM Studio',
    400,
    { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
  ],
  [
    'GitHub Copilot',
    400,
    error('prompt token count of 140000 exceeds the limit of 128000', { code: 'model_max_prompt_tokens_exceeded' }),
  ],
  ['MiniMax', 400, error('invalid params, context window exceeds limit (2013)')],
  ['Kimi', 400, error('Invalid request: Your request exceeded model token limit: 131072 (requested: 150000)')],
  [
    'Mistral, no error object',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    },
  ],
  ['Cerebras, no body', 400, undefined],
  ['GLM hosts', 400, error('The prompt exceeds the maximum allowed input length')],
  [
    'Qwen behind a gateway',
    400,
    {
      error: {
        value: {
          error_message: '{"code":400,"message":"Requested input length 99999 exceeds maximum input length 30720"}',
        },
      },
    },
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
      code: 400,
    },
  ],
  ['Ollama', 400, { error: 'input length exceeds the context length' }],
  ['another recapd', 422, { code: 'nothing-fits', detail: 'The prompt is too long for every model' }],
  ['generic', 400, error('Too many tokens in the request')],
]

/** Texts about tokens and limits that are something else. */
const NOT_OVERFLOW: readonly (readonly [string, number | undefined, unknown, AttemptOutcome])[] = [
  ['429 with tokens a minute', 429, error('Too many tokens per minute'), 'rate_limited'],
  [
    '429 with the words of an overflow',
    429,
    error('Too many tokens: maximum context length is 8000 per minute'),
    'rate_limited',
  ],
  ['400 with a token rate', 400, error('too many tokens per min, rate limit reached'), 'rate_limited'],
  ['a token of the other kind', 401, error('Invalid token'), 'auth'],
  ['a token of the other kind, 400', 400, error('Invalid token'), 'bad_request'],
  ['a window too small to work with', 400, error('Model context window too small (4096 tokens).'), 'bad_request'],
  ['images', 400, error('image count exceeds the limit of 20'), 'bad_request'],
  ['a usage tier', 400, error('Extra usage is required for long context requests'), 'bad_request'],
  ['a cache too small', 400, error('The minimum token count to start caching is 4096'), 'bad_request'],
]

const OTHER: readonly (readonly [string, number | undefined, unknown, AttemptOutcome])[] = [
  ['OpenAI: wrong key', 401, error('Incorrect API key provided: sk-1', { code: 'invalid_api_key' }), 'auth'],
  [
    'Gemini: wrong key comes as 400',
    400,
    error('API key not valid. Please pass a valid API key.', { status: 'INVALID_ARGUMENT' }),
    'auth',
  ],
  ['403', 403, error('Country not supported'), 'auth'],
  [
    '403 of a filter',
    403,
    error('Your chosen model requires moderation and your input was flagged for violence'),
    'refused',
  ],
  ['402', 402, error('Insufficient credits'), 'quota'],
  [
    'OpenAI: empty account',
    429,
    error('You exceeded your current quota, please check your plan', { code: 'insufficient_quota' }),
    'quota',
  ],
  [
    'quota by words',
    429,
    error('You exceeded your current quota, please check your plan and billing details.'),
    'quota',
  ],
  [
    'OpenRouter: can only afford',
    400,
    error('This request requires more credits. You requested 100 but can only afford 7'),
    'quota',
  ],
  ['Anthropic: balance', 400, error('Your credit balance is too low to access the Anthropic API'), 'quota'],
  ['letta: budget', 400, error("You've exceeded your budget"), 'quota'],
  ['hard limit', 400, error('Billing hard limit has been reached'), 'quota'],
  ['404', 404, error('The model `x` does not exist', { code: 'model_not_found' }), 'not_found'],
  ['a missing model as 400', 400, error('The model gpt-9 does not exist'), 'not_found'],
  ['a redirect', 302, undefined, 'not_found'],
  ['408', 408, error('slow'), 'timeout'],
  ['409', 409, error('conflict'), 'server_error'],
  ['425', 425, error('early'), 'server_error'],
  ['500', 500, error('Internal'), 'server_error'],
  ['502 as HTML', 502, '<html>Bad gateway</html>', 'server_error'],
  ['503', 503, undefined, 'server_error'],
  ['529 overloaded', 529, error('Overloaded', { type: 'overloaded_error' }), 'server_error'],
  ['429 plain', 429, undefined, 'rate_limited'],
  ['Azure filter', 400, error('The response was filtered', { code: 'content_filter' }), 'refused'],
  ['a bad field', 400, error('unknown field foo', { type: 'invalid_request_error' }), 'bad_request'],
  ['422', 422, { detail: [{ loc: ['body'], msg: 'field required', type: 'value_error' }] }, 'bad_request'],
  ['424 of another recapd', 424, { code: 'models-unusable', detail: 'No model can answer' }, 'bad_request'],
  ['a 200 that says overloaded', 200, error('Overloaded', { type: 'overloaded_error' }), 'server_error'],
  ['a 200 that says 429', 200, error('slow down', { code: 429 }), 'rate_limited'],
  ['a 200 that says 401 in a string', 200, error('who are you', { code: '401' }), 'auth'],
  ['a 200 with an error text alone', 200, 'Network connection lost.', 'server_error'],
  ['an event that says rate limit', undefined, { type: 'rate_limit_error', message: 'x' }, 'rate_limited'],
  ['an event nobody knows', undefined, { message: 'Something odd' }, 'server_error'],
]

describe('classify', () => {
  it.each(OVERFLOW)('overflow in the words of %s', (_name, status, body) => {
    expect(classify({ status, body }, NOW).outcome).toBe('overflow')
  })

  it.each(NOT_OVERFLOW)('no overflow: %s', (_name, status, body, outcome) => {
    expect(classify({ status, body }, NOW).outcome).toBe(outcome)
  })

  it.each(OTHER)('%s', (_name, status, body, outcome) => {
    expect(classify({ status, body }, NOW).outcome).toBe(outcome)
  })

  it.each([
    ['ECONNRESET', 'network'],
    ['ECONNREFUSED', 'network'],
    ['ENOTFOUND', 'network'],
    ['UND_ERR_SOCKET', 'network'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'network'],
  ])('the exception %s is %s', (code, outcome) => {
    expect(classify({ code, message: 'failed' }, NOW).outcome).toBe(outcome)
  })

  it('an answer over our own bound is a bad one, and no overflow, whatever words undici has for it', () => {
    const { code, message } = new ResponseExceededMaxSizeError()
    expect(message).toMatch(/exceeded/)
    expect(classify({ code, message }, NOW).outcome).toBe('bad_response')
  })

  it('an overflow wrapped as a connection error is an overflow: text beats class (MiniMax)', () => {
    expect(classify({ code: 'ECONNRESET', message: 'context window exceeds limit' }, NOW).outcome).toBe('overflow')
  })

  it('Gemini per minute: quota words with a hint are a rate limit', () => {
    const body = error('You exceeded your current quota, please check your plan. Please retry in 34.07s.', {
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.074824224s' }],
    })
    expect(classify({ status: 429, body }, NOW)).toEqual({ outcome: 'rate_limited', retryAfterMs: 34_075 })
  })

  it('takes the hint from header, body or reason phrase', () => {
    const headers = { get: (name: string) => (name === 'retry-after' ? '3' : null) }
    expect(classify({ status: 503, headers }, NOW).retryAfterMs).toBe(3000)
    expect(classify({ status: 503, message: 'Service Unavailable retry-after=5;' }, NOW).retryAfterMs).toBe(5000)
  })

  it('reads a huge body in bounded time', () => {
    const body = error('context length '.repeat(400_000), {
      nested: Array.from({ length: 10_000 }, () => 'maximum tokens '),
    })
    const startedAt = performance.now()
    classify({ status: 400, body }, NOW)
    expect(performance.now() - startedAt).toBeLessThan(300)
  })
})
