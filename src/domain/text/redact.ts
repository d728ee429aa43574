import { MASK } from './redact/mask.ts'
import { maskPrivateKeys } from './redact/private-keys.ts'
import { isSecretValue, looksRandom } from './redact/secret-value.ts'
import { maskVendorKeys } from './redact/vendor-keys.ts'
import { SIGNS, signsIn } from './signs.ts'

export { MASK }

/** `Authorization: Bearer x`, `x-api-key: x`, with or without quotes; group 3 is the value. */
// bounded: a value of at most 4,000 characters, taken once; every other repetition has a bound of 30
const HEADER =
  /\b((?:proxy-)?authorization|x-[a-z-]{0,30}(?:key|token|secret)|private-token|ocp-apim-subscription-key)(\\{0,3}["'`]?[ \t]{0,2}[:=][ \t]{0,3}\\{0,3}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|key)[ \t]{1,3})?)([^\s"'`\\,;<>(){}[\]$]{4,4000})/gi
const BEARER = /\b(bearer[ \t]{1,3})([A-Za-z0-9._~+/=-]{8,4000})/gi
/** `user:password@` and `token@` after `://`. */
const USERINFO = /(:\/\/)([^\s/?#@"'`<>:[\]\\]{0,64})(:[^\s/@"'`<>\\]{1,256})?@/g
const QUERY =
  /([?&](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|key|sig|signature|password|passwd|secret|client_secret|auth|x-amz-(?:signature|credential|security-token))=)([^&\s"'`#<>\\[\]{}$()]{4,2000})/gi
// bounded: every match looks at 500 characters at most
const FLAG =
  /(-(?<![\w-]-)(?:-[a-z-]{0,30}(?:password|passwd|token|api-key|apikey|secret)\s{1,2}|(?:u|-user)\s{1,2}["']?[A-Za-z0-9._@-]{1,64}:))([^\s"'`$<>()[\]{}\\-][^\s"'`$<>()[\]{}\\]{2,400})/g
/** A name that ends in a secret word, a separator, a value: `DB_PASSWORD=x`, `"apiKey": "v"`, `password: v`. */
// bounded: a value of at most 4,000 characters, taken once; every other repetition has a bound of 5
const ASSIGNED =
  /(password|passwd|passphrase|pwd|secret(?:[_-]?access)?(?:[_-]?key(?:[_-]?base)?)?|(?:api|access|private|encryption|signing|account|auth|master|shared)[_-]?key|token|credentials?)(\\{0,3}["'`]?\]?[ \t]{0,2}(?::=|[:=])(?![:=>~])[ \t]{0,4})(\\{0,3}["'`])?([^\s"'`,;&<>(){}[\]\\|]{1,4000})/gi

/** One kind of secret: the sign that every text which holds one has about it, and what masks it. */
interface Family {
  readonly sign: number
  readonly mask: (text: string) => string
}

/** In this order. A row here is found and masked, a row of the table of vendors too: no other place has to know of it. */
export const SECRET_FAMILIES: readonly Family[] = [
  { sign: SIGNS.privateKey, mask: maskPrivateKeys },
  { sign: SIGNS.vendor, mask: maskVendorKeys },
  { sign: SIGNS.named, mask: maskNamed },
  { sign: SIGNS.bearer, mask: (text) => text.replace(BEARER, maskBearer) },
  { sign: SIGNS.userinfo, mask: (text) => text.replace(USERINFO, maskUserinfo) },
  { sign: SIGNS.flag, mask: (text) => text.replace(FLAG, maskFlag) },
]

/**
 * Masks secrets: vendor keys, JWT, PEM keys, credentials in headers, assignments, URLs and flags. Idempotent and linear;
 * text without a secret comes back as it is. Source that only speaks of secrets (`token: string`) stays.
 */
export function redact(text: string): string {
  let masked = text
  let signs = signsIn(text)
  for (const { sign, mask } of SECRET_FAMILIES) {
    if ((signs & sign) === 0) continue
    const after = mask(masked)
    // What stands beside a mask may be judged differently from what stood beside the secret.
    if (after !== masked) signs |= signsIn(after)
    masked = after
  }
  return masked
}

/** What has a name in front of it: headers, queries, assignments. */
function maskNamed(text: string): string {
  return text
    .replace(HEADER, maskHeader)
    .replace(QUERY, maskQuery)
    .replace(ASSIGNED, (whole: string, ...rest: Assigned) => maskAssigned(whole, rest))
}

function maskHeader(whole: string, _name: string, between: string, value: string): string {
  return keepsHeader(between, value) ? whole : whole.slice(0, whole.length - value.length) + MASK
}

function maskQuery(whole: string, name: string, value: string): string {
  return /[?&]key=$/i.test(name) && !looksRandom(value) ? whole : name + MASK
}

function maskFlag(whole: string, flag: string, value: string): string {
  return flag.endsWith(':') || looksRandom(value) ? flag + MASK : whole
}

function maskBearer(whole: string, scheme: string, value: string): string {
  return looksRandom(value) || value.length >= 32 ? scheme + MASK : whole
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

/** Groups of ASSIGNED, where it stands, and in what. */
type Assigned = [name: string, separator: string, quote: string | undefined, value: string, at: number, text: string]

function maskAssigned(whole: string, [name, separator, quote, value, at, text]: Assigned): string {
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
