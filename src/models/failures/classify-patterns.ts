import type { Outcome } from '../model.ts'

type Failed = Exclude<Outcome, 'ok'>

/** Statuses whose meaning no word of the answer changes much (models.md §10). 400 and 422 need their words. */
export const BY_STATUS: ReadonlyMap<number, Failed> = new Map<number, Failed>([
  [401, 'auth'],
  [402, 'quota'],
  [403, 'auth'],
  [404, 'not_found'],
  [405, 'not_found'],
  [408, 'timeout'],
  [409, 'server_error'],
  [410, 'not_found'],
  [413, 'overflow'],
  [425, 'server_error'],
  [429, 'rate_limited'],
  [529, 'server_error'],
])

/** Machine words in lower case, from `code`, `type`, `status` or an errno. Words that say nothing by themselves are absent. */
export const BY_CODE: ReadonlyMap<string, Failed> = new Map<string, Failed>([
  // Overflow: OpenAI, llama.cpp, Anthropic, another recapd.
  ['context_length_exceeded', 'overflow'],
  ['exceed_context_size_error', 'overflow'],
  ['context_window_exceeded', 'overflow'],
  ['model_context_window_exceeded', 'overflow'],
  ['request_too_large', 'overflow'],
  ['nothing-fits', 'overflow'],
  // Quota: OpenAI, OpenRouter, ChatGPT plans.
  ['insufficient_quota', 'quota'],
  ['billing_hard_limit_reached', 'quota'],
  ['billing_not_active', 'quota'],
  ['billing_error', 'quota'],
  ['insufficient_credits', 'quota'],
  ['usage_limit_reached', 'quota'],
  ['usage_not_included', 'quota'],
  // Keys: OpenAI, Anthropic, Google.
  ['invalid_api_key', 'auth'],
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['unauthenticated', 'auth'],
  ['permission_denied', 'auth'],
  ['api_key_invalid', 'auth'],
  ['account_deactivated', 'auth'],
  // The model is not there.
  ['model_not_found', 'not_found'],
  ['not_found_error', 'not_found'],
  ['not_found', 'not_found'],
  ['unknown-model', 'not_found'],
  // Refusals: OpenAI, Azure.
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['responsibleaipolicyviolation', 'refused'],
  ['moderation_blocked', 'refused'],
  // Limits of a moment.
  ['rate_limit_error', 'rate_limited'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['rate-limited', 'rate_limited'],
  ['throttlingexception', 'rate_limited'],
  ['resource_exhausted', 'rate_limited'],
  // The other side.
  ['overloaded_error', 'server_error'],
  ['api_error', 'server_error'],
  ['server_error', 'server_error'],
  ['internal_error', 'server_error'],
  ['internal', 'server_error'],
  ['unavailable', 'server_error'],
  ['serviceunavailableexception', 'server_error'],
  ['modelnotreadyexception', 'server_error'],
  ['internalserverexception', 'server_error'],
  ['timeout_error', 'timeout'],
  ['modeltimeoutexception', 'timeout'],
  ['deadline_exceeded', 'timeout'],
  ['deadline-exceeded', 'timeout'],
  // The connection, as undici and the system name it.
  ['und_err_connect_timeout', 'timeout'],
  ['und_err_headers_timeout', 'timeout'],
  ['und_err_body_timeout', 'timeout'],
  ['etimedout', 'timeout'],
  ['und_err_res_exceeded_max_size', 'bad_response'],
  ['und_err_socket', 'network'],
  ['econnreset', 'network'],
  ['econnrefused', 'network'],
  ['enotfound', 'network'],
  ['eai_again', 'network'],
  ['epipe', 'network'],
])

/** Words of an overflow, provider by provider (bug-log §9, omp-spec §14). Every gap is bounded: no pattern can run away. */
export const OVERFLOW: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic, input and output together
  /too many total text bytes|request_too_large|request exceeds the maximum size/i, // Anthropic, bytes
  /exceeds the context window|maximum context length (?:is|of) [\d,]+/i, // OpenAI, vLLM, OpenRouter
  /input tokens exceed the configured limit/i, // OpenAI, configured cap
  /input token count.{0,80}exceeds the maximum/i, // Gemini
  /input is too long/i, // Bedrock
  /maximum tokens.{0,80}exceeds.{0,80}model limit|total number of tokens.{0,80}exceeds/i, // Bedrock
  /maximum prompt length is \d+/i, // xAI
  /reduce the length of (?:the messages|either one|the prompt|your)/i, // Groq, OpenRouter, OpenAI
  /contextlength.{0,200}maximum context length|maximum context length.{0,60}exceed/i, // SambaNova
  /exceeds? (?:the )?available context size|requested tokens.{0,60}exceed|\bn_ctx\b/i, // llama.cpp
  /greater than the context length/i, // LM Studio
  /prompt token count of [\d,]+ exceeds the limit of/i, // GitHub Copilot
  /exceeded model token limit/i, // Kimi, Moonshot
  /too large for model with [\d,]+ maximum context length/i, // Mistral
  /exceeds the maximum allowed input length/i, // GLM hosts
  /requested input length.{0,80}exceeds.{0,40}maximum/i, // Alibaba, Together
  /context[_ ](?:window|length|size)[_ ](?:is )?(?:exceed(?:s|ed)?|overflow|too small)/i, // MiniMax and the rest
  /(?:exceed(?:s|ed)?|over|larger than|longer than) (?:the )?(?:model'?s )?(?:maximum )?context[_ ](?:window|length|size|limit)/i,
  /too many (?:input )?tokens|token limit exceeded/i, // generic
  /(?:payload|entity|request(?: body)?) too large/i, // HTTP 413 in words
]

/** Texts that talk of tokens or limits and are no overflow: rates, plans, caches. */
export const NOT_OVERFLOW =
  /per[ -](?:second|minute|min|hour|day)\b|\b[tr]p[md]\b|rate[ _-]?limit|tokens? per |extra usage is required|invalid token|token count to start caching/i

/** Words for classes other than overflow, in this order. */
export const BY_TEXT: readonly (readonly [Failed, RegExp])[] = [
  [
    'quota',
    /insufficient (?:credits?|quota|balance|funds)|requires more credits|can only afford|exceeded your current quota|billing.{0,40}hard limit|exceeded your budget|credit balance is too low|(?:monthly|usage|spend(?:ing)?|quota|credit)[ _]limit[ _](?:reached|exceeded)|quota exceeded|exceeded (?:your|the) (?:monthly|usage|spend\w*) /i,
  ],
  [
    'auth',
    /api key not valid|(?:invalid|incorrect|missing|no|expired|revoked) (?:api[ _-]?key|auth\w*|credentials|bearer)|unauthori[sz]ed|authentication (?:failed|required)/i,
  ],
  [
    'refused',
    /content (?:management )?policy|content[ _]filter|safety (?:system|policy|reasons)|flagged (?:by|as|for)|moderation/i,
  ],
  [
    'not_found',
    /model\b.{0,120}\b(?:does not exist|not found|is not available|is not supported|has been deprecated)|no such model|unknown model|no endpoints found/i,
  ],
  ['rate_limited', /rate[ _-]?limit|too many requests|throttl|resource[ _]exhausted|usage limit|limit_reached/i],
  ['timeout', /timed? ?out|deadline exceeded|stream stall/i],
  [
    'server_error',
    /overloaded|over capacity|provider returned error|service unavailable|temporarily unavailable|(?:server|internal) error|bad gateway|network connection lost|upstream (?:connect|error)|retry delay/i,
  ],
  [
    'network',
    /network error|connection (?:error|refused|reset|closed)|other side closed|fetch failed|reset before headers|socket hang up|terminated|econn(?:reset|refused)/i,
  ],
]
