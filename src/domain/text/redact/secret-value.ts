/** One `name = value` in its text; `end` is the offset after the value. */
export interface Assigned {
  readonly name: string
  readonly separator: string
  readonly quoted: boolean
  readonly value: string
  readonly at: number
  readonly end: number
  readonly text: string
}

const SYMBOLIC = /^[$%*@:=/~.!?#+]|\.{3}$|…$|\$\{|\{\{|:\/\/|^[xX*•.…-]+$/
/** `your-key-here`: what documentation writes in the place of a secret. */
const PLACEHOLDER = /^(?:your|my|some|fake|dummy)[_-]?|[_-]here$/i
const VARIABLE = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/i
const SECRET_PARTS: ReadonlySet<string> = new Set(['KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASS'])

/** `OPENAI_API_KEY`: the name of a variable, not its value. */
function isVariableName(value: string): boolean {
  return (
    VARIABLE.test(value) &&
    value
      .toUpperCase()
      .split('_')
      .slice(1)
      .some((part) => SECRET_PARTS.has(part))
  )
}

/** Words that stand for a value in types, schemas, forms and prose. */
const WORDS = new Set(
  'string str text number int integer boolean bool null none nil undefined true false any unknown object bytes buffer required optional password passwd secret token key apikey value name type field input default example placeholder changeme redacted masked hidden yes no on off the a an is not this that await new async self function return const let var if or and for from in of your my process env await'.split(
    ' ',
  ),
)
const DOTTED = /^(?:[A-Za-z_$][\w$]*[.?!]{1,2})+[A-Za-z_$][\w$]*[,;!?.]*$/
const STRONG =
  /^(?:passw|passphrase|secret|(?:api|access|private|encryption|signing|account|auth|master|shared)[_-]?key)/i
const STRONG_TOKEN = /(?:auth|access|refresh|bearer|session|api|bot|secret|id|github|slack|npm|deploy)[_-]?$/i
const LONGEST_PREFIX = 24

const LONGEST_WORD = 24

function isWord(value: string): boolean {
  if (value.length > LONGEST_WORD) return false
  let end = value.length
  while (end > 0 && '.!?'.includes(value.charAt(end - 1))) end -= 1
  return WORDS.has(value.slice(0, end).toLowerCase())
}

/** Letters together with digits or unusual signs: nothing a person writes as a word. Short values are never random. */
export function looksRandom(value: string): boolean {
  if (value.length < 6 || !/[A-Za-z]/.test(value)) return false
  return /\d/.test(value) ? !/^[a-z]+[-_]?\d{1,2}$/i.test(value) || value.length >= 8 : /[!@#%^+=]/.test(value)
}

/** Upper and lower case with digits: a placeholder never is. */
const looksMixed = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)

/** Whether the value of a name like `password` or `token` is a secret and not a type, an expression or a placeholder. */
export function isSecretValue(assigned: Assigned): boolean {
  const { value, quoted, name, separator, text, at, end } = assigned
  if (
    SYMBOLIC.test(value) ||
    ((PLACEHOLDER.test(value) || isVariableName(value)) && !looksMixed(value)) ||
    isWord(value)
  )
    return false
  if (value.toLowerCase().includes(name.toLowerCase()) && !/\d/.test(value)) return false
  const strong = STRONG.test(name) || STRONG_TOKEN.test(text.slice(Math.max(0, at - LONGEST_PREFIX), at))
  const isEnvironment = name === name.toUpperCase() && separator === '='
  if (quoted) return strong || isEnvironment || looksRandom(value)
  // An opening bracket after it makes it a call, an index or a generic type.
  if (/^[([<{]/.test(text.slice(end, end + 1))) return false
  if (isEnvironment) return true
  if (DOTTED.test(value)) return false
  if (looksRandom(value)) return strong || value.length >= 8
  return strong && (separator === '=' || isWholeYamlLine(assigned))
}

const MOST_BEFORE_NAME = 60

/** `  password: swordfish` and nothing else on its line. */
function isWholeYamlLine({ separator, text, at, end, value }: Assigned): boolean {
  if (!/^: {1,4}$/.test(separator) || /^[A-Z]/.test(value)) return false
  const next = text.charAt(end)
  if (next !== '' && next !== '\n' && next !== '\r') return false
  const before = text.slice(Math.max(0, at - MOST_BEFORE_NAME - 1), at)
  const line = before.lastIndexOf('\n') + 1
  return (line > 0 || before.length <= MOST_BEFORE_NAME) && /^\s*(?:- )?[\w.-]*$/.test(before.slice(line))
}
