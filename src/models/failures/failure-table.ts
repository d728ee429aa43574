import type { AttemptOutcome } from '../model.ts'

type Failed = Exclude<AttemptOutcome, 'ok'>

/**
 * THE table of what providers say when they fail (docs/spec/models.md §2, §3): statuses, machine words, sentences. All of it
 * is matched against at most 8,192 characters (failure-body.ts), and every gap in a pattern is bounded.
 */

/** Statuses whose meaning no word of the answer changes much. 400 and 422 need their words. */
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
  [451, 'refused'],
  [498, 'rate_limited'], // Groq, flex tier
  [524, 'timeout'], // Cloudflare gave up waiting for the origin
  [529, 'server_error'],
])

const coded = (outcome: Failed, words: string): (readonly [string, Failed])[] =>
  words.split(/\s+/).map((word) => [word, outcome])

/** Machine words in lower case, from `code`, `type`, `status` or an errno. Words that say nothing by themselves are absent. */
export const BY_CODE: ReadonlyMap<string, Failed> = new Map<string, Failed>([
  // OpenAI, llama.cpp, Anthropic, GitHub Models and Copilot, LiteLLM, another recapd.
  ...coded(
    'overflow',
    `context_length_exceeded exceed_context_size_error context_window_exceeded model_context_window_exceeded
    request_too_large tokens_limit_reached model_max_prompt_tokens_exceeded contextwindowexceedederror
    prompt_too_long input_too_long nothing-fits`,
  ),
  // Money: OpenAI, OpenRouter, DashScope, MiniMax, Moonshot, gateways. No waiting helps.
  ...coded(
    'quota',
    `insufficient_quota billing_hard_limit_reached billing_not_active billing_error insufficient_credits
    insufficient_balance insufficient_balance_error insufficient_funds exceeded_current_quota_error arrearage
    payment_required credit_limit_exceeded budget_exceeded`,
  ),
  // Limits of a plan (ChatGPT, gateways): quota unless a short wait is stated, see PLAN_CODES.
  ...coded('quota', 'usage_limit_reached usage_limit_exceeded usage_not_included quota_exceeded daily_limit_exceeded'),
  // OpenAI, Anthropic, Google, Moonshot, AWS.
  ...coded(
    'auth',
    `invalid_api_key authentication_error permission_error unauthenticated permission_denied api_key_invalid
    account_deactivated invalid_authentication_error incorrect_api_key_error accessdeniedexception
    unrecognizedclientexception expiredtokenexception`,
  ),
  ...coded(
    'not_found',
    'model_not_found not_found_error not_found unknown-model deploymentnotfound model_decommissioned modelnotfound',
  ),
  // OpenAI, Azure, DashScope, Gemini.
  ...coded(
    'refused',
    `content_filter content_policy_violation responsibleaipolicyviolation moderation_blocked data_inspection_failed
    datainspectionfailed prohibited_content sensitive_content`,
  ),
  ...coded(
    'rate_limited',
    `rate_limit_error rate_limit_exceeded rate_limited rate-limited throttlingexception toomanyrequestsexception
    too_many_requests resource_exhausted throttling throttling.ratequota throttling.allocationquota`,
  ),
  ...coded(
    'server_error',
    `overloaded_error engine_overloaded_error api_error server_error internal_error internal unavailable
    unavailable_error capacity_exceeded service_tier_capacity_exceeded serviceunavailableexception
    modelnotreadyexception internalserverexception`,
  ),
  ...coded('timeout', 'timeout_error modeltimeoutexception deadline_exceeded deadline-exceeded'),
  // The connection, as undici and the system name it.
  ...coded('timeout', 'und_err_connect_timeout und_err_headers_timeout und_err_body_timeout etimedout'),
  ...coded('bad_response', 'und_err_res_exceeded_max_size'),
  ...coded('network', 'und_err_socket econnreset econnrefused enotfound eai_again epipe'),
])

/** Codes of a used-up plan, which fills again by itself. */
export const PLAN_CODES: ReadonlySet<string> = new Set([
  'usage_limit_reached',
  'usage_limit_exceeded',
  'usage_not_included',
  'quota_exceeded',
  'daily_limit_exceeded',
])

/** Words of an account without money, whatever the status: credits, balance, budget, arrears. */
export const MONEY: readonly RegExp[] = [
  /insufficient[ _](?:\w{1,20}[ _]){0,2}(?:credits?|balance|funds?)\b/i, // DeepSeek, MiniMax, GLM, gateways
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /(?:out of|used (?:up )?all|no more|no remaining|not enough|exhausted|depleted|(?:requires?|purchase|add|buy) more)\b[^\n]{0,40}\b(?:credits?|balance|funds)\b/i, // xAI, OpenRouter, Claude plans
  /\b(?:credits?|balance|funds|wallet)\b[^\n]{0,40}(?:too low|exhausted|depleted|insufficient|used up|run out|is zero|is negative)/i, // Anthropic
  /can only afford|\bkey limit exceeded/i, // OpenRouter
  /exceeded (?:your|the) (?:[\w-]{1,20} ){0,3}credits\b/i, // Hugging Face
  /\binsufficient_quota\b|billing[ _](?:hard[ _])?limit|billing (?:is |has )?(?:not|inactive|disabled)/i, // OpenAI, Vertex
  /(?:spend(?:ing)?|budget|credit)[ _-]limit|exceeded (?:your|the|its|their) (?:\w{1,20} ){0,2}budget|budget (?:has been |is )?exceeded/i, // xAI, LiteLLM, Letta
  /good standing|\barrear|overdue|past due|payment (?:required|method|failed)|\brecharge\b|\btop[ -]up\b/i, // DashScope, GLM
  /余额不足|欠费|充值/, // GLM, DashScope, Chinese gateways
]

/** A limit of a short time. DashScope names its limits of a minute `Throttling.*`. */
export const PER_MINUTE =
  /per[ _-]?(?:minute|second|hour|min\b|sec\b)|\b[tr]p[msh]\b|\bhourly\b|throttling\.|每分钟|每秒/i
export const PER_DAY = /per[ _-]?(?:day|week|month)|\b[tr]pd\b|\b(?:daily|weekly|monthly)\b|每天|每日|每月/i
/** Limits of how often. */
export const RATE = /rate[ _-]?limit|too many requests|throttl|resource[ _]exhausted|slow down|频繁|限流|速率/i
/** Limits of a plan, of a session of use, of a quota. */
export const PLAN =
  /\bquota\b|usage[ _]limit|(?:hit|reached|exceeded|used up) (?:your|the|its|their)? ?(?!(?:[\w-]{1,20} ){0,2}(?:tokens?|context|length|size|input|prompt) limit)(?:[\w-]{1,20} ){0,3}(?:limit|allowance)\b|(?:session|plan|subscription) limit|额度|配额/i
/** "Limit 8000, Used 100, Requested 21345": the request alone is more than the limit. */
// bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
export const LIMIT_AND_REQUESTED = /limit:? {0,2}(\d[\d,]{0,14})[^\n]{0,60}?requested:? {0,2}(\d[\d,]{0,14})/i

/** Words of an overflow, by what is said; the providers that say so beside it. */
export const OVERFLOW: readonly RegExp[] = [
  // Anthropic, Bedrock, OpenRouter, Perplexity, Fireworks, Ollama cloud, OpenAI (string too long), HTTP 413 in words.
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /\b(?:prompt|inputs?|context|conversation|history|messages?|request|sequence|text|content|chat)\b[^\n]{0,60}\btoo (?:long|large|big)\b/i,
  /(?:payload|entity|body) (?:is )?too large|max size: [\d,]{1,15} tokens/i, // proxies, GitHub Models
  /too (?:long|large|big)[^\n]{0,40}\b(?:context|prompt|input|model)\b/i, // Mistral
  // OpenAI, vLLM, Gemini, MiniMax, LM Studio, llama.cpp, Cohere, GLM, Kimi, SambaNova, Cloudflare, AI21, HF.
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /(?:exceed\w{0,3}|surpass\w{0,3}|over|above|beyond|(?:larger|longer|greater|more|bigger) than)\b[^\n]{0,60}\b(?:context|max(?:imum)?[ _-](?:\w{1,20}[ _-]){0,3}(?:tokens?|length|input|size)|(?:model )?token limit|model'?s? (?:max\w{0,5}|limit|length)|configured limit|allowed (?:\w{1,20} )?(?:tokens?|length)|input (?:limit|length))/i,
  /tokens?\b[^\n]{0,60}\b(?:exceed\w{0,3}|(?:greater|more|larger) than|over) (?:the |your |its |this )?(?:\w{1,20} ){0,2}(?:limit|max\w{0,5}|context|allow\w{0,3})/i, // Copilot, Bedrock, LM Studio
  /context[_ -]?(?:(?:window|length|size|limit)[_ ]?)?(?:is |was |has been )?(?:exceed|overflow)|contextlengtherror|context the overflows/i, // LiteLLM, MiniMax, LM Studio
  /no models? ha(?:ve|s) (?:a )?context window large enough/i, // LiteLLM
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /(?:context|prompt|input)[ _](?:length|window|size|tokens?)(?: limit)?[^\n]{0,20}\b(?:is|of)[ :](?:only |at most |limited to )?\d[\d,]{2,}/i, // OpenAI, vLLM, xAI, OpenRouter, NVIDIA
  /slot context: ?\d[\d,]{0,14} tokens?, prompt ?\d|\bn_ctx\b/i, // llama.cpp
  /\d[\d,]{2,14} tokens ?> ?\d/i, // Anthropic
  /too many (?:input |prompt |total )?tokens|too many total text bytes|token limit exceeded|exceeded by \d[\d,]{0,14} tokens/i, // Cohere, generic
  /(?:reduce|shorten) (?:the |your )?(?:(?:total )?(?:length|size) of|number of (?:input )?tokens|prompt|inputs?|messages?|context|conversation)|shorter (?:or fewer )?(?:inputs?|prompts?|messages?)/i, // Groq, Cerebras, Azure, Cohere
  /\binputs`? (?:tokens )?must have (?:less|fewer|at most)|max_new_tokens`? must be <=/i, // TGI, Together
  /range of input length should be/i, // DashScope
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /token count[^\n]{0,60}supports? (?:only )?up to|expected maxlength: \d/i, // Vertex, Bedrock
  /(?:输入|上下文|提示词?|内容|消息|文本|长度|tokens?)[^\n]{0,20}(?:过长|超长|太长|超过|超出)|(?:超过|超出)[^\n]{0,20}(?:最大|上下文|长度|tokens?)/i, // GLM, DashScope, Chinese gateways
  /(?:コンテキスト|入力|プロンプト)[^\n]{0,20}(?:長すぎ|超え|超過)|(?:컨텍스트|입력|프롬프트|토큰)[^\n]{0,20}(?:초과|너무 (?:깁|길))/,
]

/** Texts that talk of tokens or sizes without being an overflow: waits, rates, other parameters, media. */
export const NOT_OVERFLOW: readonly RegExp[] = [
  // undici, of an answer over our own bound (docs/spec/hostile.md §2).
  /\bresponse content exceeded\b/i,
  /\bwait\b|throttl|too many requests|slow down|\bqueued?\b|rate[ _-]?limit|tokens? per |超出?(?:速率|频率|配额|额度)/i,
  /extra usage is required|invalid token|token count to start caching/i,
  /max_(?:completion_|output_)?tokens['"`]?(?:[ :(]{1,3}[\d,]{1,15}\)?)? (?:is |was )?(?:too |must|cannot|should|exceeds? (?!context))|at most [\d,]{1,15} (?:completion|output) tokens/i,
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /\b(?:images?|attachments?|files?|audio|video|pdf|documents?|urls?|names?)\b[^\n]{0,40}(?:too (?:long|large|big|many)|exceed|larger than|maximum)/i,
]

/** A model that will not have this prompt. */
export const REFUSED =
  // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
  /content (?:management )?polic|content[ _]filter|safety (?:system|polic|reasons|filter|guidelines)|flagged (?:by|as|for)|moderation|inappropriate content|data inspection|usage polic|violat\w{1,4} [^\n]{0,60}(?:polic|terms|guidelines)|prohibited content|blocked (?:by|due to|because of|for) [^\n]{0,30}(?:filter|policy|safety|guardrail)|responsible ai|sensitive (?:content|words)|敏感|违规|不合规/i

/** Sentences for everything else, in this order. */
export const BY_TEXT: readonly (readonly [Failed, RegExp])[] = [
  [
    'auth',
    // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
    /api key not valid|(?:invalid|incorrect|missing|no|expired|revoked|wrong) (?:api[ _-]?key|auth\w{0,15}|credentials|bearer)|unauthori[sz]ed|authentication (?:failed|required)|location is not supported|api[ _-]?key[^\n]{0,20}(?:expired|revoked|invalid)|鉴权失败|密钥无效/i,
  ],
  [
    'not_found',
    // bounded: 8,192 characters of a body and 8,192 of a message (failure-body.ts)
    /model\b[^\n]{0,120}\b(?:does not exist|not found|is not available|is not supported|(?:has been |is )(?:deprecated|retired|decommissioned))|no such model|unknown model|(?:not a valid|unsupported) model|no endpoints (?:found|available)/i,
  ],
  ['timeout', /timed? ?out|etimedout|deadline exceeded|stream stall/i],
  [
    'server_error',
    /overloaded|capacity|provider returned error|service unavailable|unable to process your request|temporarily|(?:server|internal) error|bad gateway|network connection lost|upstream (?:connect|error)|retry delay|try again later|\bbusy\b|model (?:is |was )?(?:unloaded|not loaded|(?:currently |still )?loading|crashed)|loading model|繁忙|过载|负载/i,
  ],
  [
    'network',
    /network error|connection (?:error|refused|reset|closed)|other side closed|fetch failed|reset before headers|socket hang up|terminated|econn(?:reset|refused|aborted)|getaddrinfo|enotfound|eai_again|epipe|premature close/i,
  ],
  [
    'bad_response',
    /unexpected (?:end of json|token|non-whitespace)|not valid json|stream ended (?:without|before)|incomplete (?:response|stream)/i,
  ],
]
