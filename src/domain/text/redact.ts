import { isSecretValue, looksRandom } from './secret-value.ts'

/** What stands in the place of a secret. Constant: a partial mask would leak (hermes-spec §8). */
export const MASK = '[REDACTED]'

/** Keys that tell their vendor by their form. The word boundary keeps `task-…` and `risk_live_…` out. */
const VENDOR = new RegExp(
  `\\b(?:${[
    'sk-[A-Za-z0-9_-]{16,400}',
    'gh[pousr]_[A-Za-z0-9]{20,255}',
    'github_pat_[A-Za-z0-9_]{20,255}',
    'glpat-[A-Za-z0-9_.-]{16,200}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,300}',
    'xapp-[A-Za-z0-9-]{10,300}',
    'AIza[A-Za-z0-9_-]{30,60}',
    'A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
    'ya29\\.[A-Za-z0-9_-]{20,400}',
    'npm_[A-Za-z0-9]{30,80}',
    'hf_[A-Za-z0-9]{20,80}',
    'pypi-[A-Za-z0-9_-]{30,400}',
    'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,80}',
    'gsk_[A-Za-z0-9]{20,120}',
    'xai-[A-Za-z0-9]{20,160}',
    '[rs]k_(?:live|test)_[A-Za-z0-9]{10,200}',
    'whsec_[A-Za-z0-9+/=]{16,120}',
    'dop_v1_[a-f0-9]{40,80}',
    'shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{24,64}',
    'eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,8000}(?:\\.[A-Za-z0-9_-]{0,2000})?',
    'hooks\\.slack\\.com/services/[A-Za-z0-9/_-]{20,120}',
    '\\d{8,10}:AA[A-Za-z0-9_-]{32,40}',
  ].join('|')})`,
  'g',
)

/** `Authorization: Bearer x`, `x-api-key: x`, with or without quotes; group 3 is the value. */
const HEADER =
  /\b((?:proxy-)?authorization|x-[a-z-]{0,30}(?:key|token|secret)|private-token|ocp-apim-subscription-key)(\\{0,3}["'`]?[ \t]{0,2}[:=][ \t]{0,3}\\{0,3}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|key)[ \t]{1,3})?)([^\s"'`\\,;<>(){}[\]$]{4,4000})/gi
const BEARER = /\b(bearer[ \t]{1,3})([A-Za-z0-9._~+/=-]{8,4000})/gi
/** `user:password@` and `token@` behind `://`. */
const USERINFO = /(:\/\/)([^\s/?#@"'`<>:[\]\\]{0,64})(:[^\s/@"'`<>\\]{1,256})?@/g
const QUERY =
  /([?&](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|key|sig|signature|password|passwd|secret|client_secret|auth|x-amz-(?:signature|credential|security-token))=)([^&\s"'`#<>\\[\]{}$()]{4,2000})/gi
const FLAG =
  /(-(?<![\w-]-)(?:-[a-z-]{0,30}(?:password|passwd|token|api-key|apikey|secret)\s{1,2}|(?:u|-user)\s{1,2}["']?[A-Za-z0-9._@-]{1,64}:))([^\s"'`$<>()[\]{}\\-][^\s"'`$<>()[\]{}\\]{2,400})/g
/** A name that ends in a secret word, a separator, a value: `DB_PASSWORD=x`, `"apiKey": "v"`, `password: v`. */
const ASSIGNED =
  /(password|passwd|passphrase|pwd|secret(?:[_-]?access)?(?:[_-]?key(?:[_-]?base)?)?|(?:api|access|private|encryption|signing|account|auth|master|shared)[_-]?key|token|credentials?)(\\{0,3}["'`]?\]?[ \t]{0,2}(?::=|[:=])(?![:=>~])[ \t]{0,4})(\\{0,3}["'`])?([^\s"'`,;&<>(){}[\]\\|]{1,4000})/gi

/** A separator behind a word that names a secret: what headers, queries and assignments have in common. */
const NAMED =
  /[:=](?<=(?:passw(?:or)?d|passphrase|pwd|secret|access|key|base|token|credentials?|authorization|auth|sig(?:nature)?)[\\"'`\]]{0,5}[ \t]{0,2}:?[:=])/i

/**
 * Finds all that the patterns find, and more, in one pass: it stops at the few signs that secrets have about them and reads
 * backwards what stands before. Most texts hold nothing of it and are spared a dozen passes.
 */
const ANY_MARK = new RegExp(
  `[-_:=Jb.](?:${[
    `(?<=${NAMED.source.slice('[:=](?<='.length, -1)})`,
    '(?<=\\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|npm_|hf_|pypi-|gsk_|xai-|[rs]k_(?:live|test)_|whsec_|dop_v1_|shp(?:at|ss|ca|pa)_|eyJ|ya29\\.|SG\\.))',
    '(?<=\\bb)earer[ \\t]',
    '(?<=:)(?:AA|\\/\\/[^\\s/"\'`<>\\\\]{0,322}@)',
    '(?<=\\.)slack\\.com\\/',
    '(?<=(?:^|[^\\w-])-)(?:-[a-z-]{0,30}(?:password|passwd|token|api-key|apikey|secret|user)|u)\\s',
  ].join('|')})`,
  'i',
)
const MARKS = ['AIza', 'AKIA', 'ASIA', '-----BEGIN ']
const mayHoldSecret = (text: string): boolean => MARKS.some((mark) => text.includes(mark)) || ANY_MARK.test(text)

/**
 * Masks secrets: vendor keys, JWT, PEM keys, credentials in headers, assignments, URLs and flags. Idempotent and linear;
 * text without a secret comes back as it is. Source that only speaks of secrets (`token: string`) stays.
 */
export function redact(text: string): string {
  if (!mayHoldSecret(text)) return text
  const isNamed = NAMED.test(text)
  let result = redactPem(text)
  result = result.replace(VENDOR, (key) => (key.startsWith('sk-') && !looksLikeKey(key) ? key : MASK))
  if (isNamed) {
    result = result.replace(HEADER, (whole, _name: string, between: string, value: string) =>
      keepsHeader(between, value) ? whole : whole.slice(0, whole.length - value.length) + MASK,
    )
  }
  result = result.replace(BEARER, (whole, scheme: string, value: string) =>
    looksRandom(value) || value.length >= 32 ? scheme + MASK : whole,
  )
  if (result.includes('://')) result = result.replace(USERINFO, maskUserinfo)
  if (isNamed) {
    result = result.replace(QUERY, (whole, name: string, value: string) =>
      /[?&]key=$/i.test(name) && !looksRandom(value) ? whole : name + MASK,
    )
  }
  result = result.replace(FLAG, (whole, flag: string, value: string) =>
    flag.endsWith(':') || looksRandom(value) ? flag + MASK : whole,
  )
  if (!isNamed) return result
  return result.replace(ASSIGNED, (whole: string, ...rest: unknown[]) => maskAssigned(whole, rest))
}

function looksLikeKey(key: string): boolean {
  return /[0-9A-Z]/.test(key) || /[a-z]{20}/.test(key)
}

function keepsHeader(between: string, value: string): boolean {
  if (value.startsWith(MASK)) return true
  const schemed = /[a-z]\s+$/i.test(between)
  return schemed
    ? /^(?:token|key|authentication|auth|your\b.*|x+|\.+|\*+)$/i.test(value)
    : !looksRandom(value) && value.length < 24
}

function maskUserinfo(whole: string, scheme: string, user: string, password: string | undefined): string {
  if (password === undefined) return user.length >= 8 && looksRandom(user) ? `${scheme}${MASK}@` : whole
  return /^:(?:\[REDACTED\]|[$<{*%])/.test(password) ? whole : `${scheme}${user}:${MASK}@`
}

function maskAssigned(whole: string, rest: readonly unknown[]): string {
  const [name, separator, quote, value, at, text] = rest as [string, string, string | undefined, string, number, string]
  const secret = isSecretValue({
    name,
    separator,
    quoted: quote !== undefined,
    value,
    at,
    end: at + whole.length,
    text,
  })
  return secret ? whole.slice(0, whole.length - value.length) + MASK : whole
}

const PEM_BEGIN = '-----BEGIN '
const PEM_NAME = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const PEM_BODY = /(?:[\s\\nr]|[A-Za-z0-9+/=]{40,200})*/y
const PEM_MOST = 20_000

/** A private key block, whole; without its end (a cut transcript) the body that is there. */
function redactPem(text: string): string {
  let at = text.indexOf(PEM_BEGIN)
  if (at < 0) return text
  const parts: string[] = []
  let copied = 0
  for (; at >= 0; at = text.indexOf(PEM_BEGIN, at + PEM_BEGIN.length)) {
    PEM_NAME.lastIndex = at
    if (at < copied || !PEM_NAME.test(text)) continue
    const end = endOfPem(text, PEM_NAME.lastIndex)
    parts.push(text.slice(copied, at), MASK)
    copied = end
  }
  return parts.join('') + text.slice(copied)
}

function endOfPem(text: string, from: number): number {
  const next = text.indexOf(PEM_BEGIN, from)
  const window = text.slice(from, Math.min(from + PEM_MOST, next < 0 ? text.length : next))
  PEM_END.lastIndex = 0
  if (PEM_END.test(window)) return from + PEM_END.lastIndex
  PEM_BODY.lastIndex = from
  return from + (PEM_BODY.exec(text)?.[0].length ?? 0)
}
