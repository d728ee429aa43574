/** A small session of our own invention: a CSV export loses its last row. It shows every fate a row can have but two. */

/** @type {object[]} */
const entries = []
let clock = Date.UTC(2026, 2, 4, 9, 0, 0)
/** @type {string | null} */
let leaf = null

/**
 * @param {string} type
 * @param {object} fields
 */
function add(type, fields) {
  const id = (0xa1c40000 + entries.length * 0x1b3).toString(16)
  clock += 21_000
  entries.push({ type, id, parentId: leaf, timestamp: new Date(clock).toISOString(), ...fields })
  leaf = id
  return id
}

/**
 * @param {string} role
 * @param {unknown} content
 * @param {object} [more]
 */
const say = (role, content, more) => add('message', { message: { role, content, timestamp: clock, ...more } })
/** @param {string} text */
const user = (text) => say('user', text)
/**
 * @param {string} text
 * @param {...readonly [id: string, name: string, args: object]} calls
 */
const answer = (text, ...calls) =>
  say(
    'assistant',
    [{ type: 'text', text }, ...calls.map(([id, name, args]) => ({ type: 'toolCall', id, name, arguments: args }))],
    {
      provider: 'example',
      model: 'demo',
      stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    },
  )
/**
 * @param {string} toolCallId
 * @param {string} toolName
 * @param {string} text
 * @param {boolean} [isError]
 */
const result = (toolCallId, toolName, text, isError = false) =>
  say('toolResult', [{ type: 'text', text }], { toolCallId, toolName, isError })

const SOURCE = `export function* toCsv(rows, columns) {
  yield columns.join(',') + '\\n'
  let buffered = ''
  for (const row of rows) {
    if (buffered.length > CHUNK_CHARS) { yield buffered; buffered = '' }
    buffered += columns.map((name) => quote(row[name])).join(',') + '\\n'
  }
}
`
const TEST_LOG = Array.from(
  { length: 60 },
  (_, at) => `ok ${at + 1} - export/csv: column set ${at % 12}, ${40 + at} rows, ${3 + (at % 5)} ms`,
).join('\n')
const GREP = Array.from(
  { length: 28 },
  (_, at) => `src/export/format-${at}.js:${12 + at * 3}: import { toCsv } from '../csv.js'`,
).join('\n')

function firstTurn() {
  user(
    'The CSV export of /reports sometimes misses its last rows. Find out why. Do not change the public function names, and keep Node 20 working.',
  )
  answer('I look for the exporter and its callers.', ['c1', 'bash', { command: 'grep -rn toCsv src | head -40' }])
  result('c1', 'bash', GREP)
  answer('The generator is in src/export/csv.js.', ['c2', 'read', { path: 'src/export/csv.js' }])
  result('c2', 'read', SOURCE)
  answer(
    'Rows are collected in `buffered` and yielded when it is full, but nothing yields what is left after the loop. With fewer than CHUNK_CHARS characters the file holds the header only.',
  )
}

function abandonedBranch() {
  const fork = leaf
  user('Could we drop the buffering altogether?')
  answer('Yes, but every row would be its own write; the 300 MB report would take minutes longer.')
  leaf = fork
}

function secondTurn() {
  user('Good find. Fix it and add a test for a report with a single row.')
  answer('I add the missing yield.', [
    'c3',
    'edit',
    { path: 'src/export/csv.js', oldText: '  }\n}', newText: "  }\n  if (buffered !== '') yield buffered\n}" },
  ])
  result('c3', 'edit', 'src/export/csv.js: 1 block replaced')
  answer('Now the test.', [
    'c4',
    'write',
    { path: 'test/export/csv-single-row.test.js', content: "test('toCsv writes a single row', () => { /* ... */ })" },
  ])
  result('c4', 'write', 'written: 24 lines')
  answer('I run the export tests.', ['c5', 'bash', { command: 'npm test -- export' }])
  result('c5', 'bash', TEST_LOG)
  answer('All 60 pass. The single-row report has its row again.')
}

function thirdTurn() {
  user('Does the XLSX export share the fault? Check it, and tell me before you change anything there.')
  answer('I read the XLSX writer.', ['c6', 'read', { path: 'src/export/xlsx.js' }])
  result(
    'c6',
    'read',
    `${SOURCE.replaceAll('toCsv', 'toSheet').replaceAll('\\n', '</row>')}\n// rows are flushed in close()\n`,
  )
  answer('It flushes in close(). I make sure that close() is always called.', [
    'c7',
    'bash',
    { command: 'npm test -- xlsx' },
  ])
  result(
    'c7',
    'bash',
    'Error: ENOSPC: no space left on device, write\n    at writeSync (node:fs:921:3)\nexit code 1',
    true,
  )
  answer(
    'The disk of the test machine is full, so the run says nothing about our code. In the source, close() is skipped when a row throws: `src/export/xlsx.js` line 41 has no finally. I have changed nothing there; shall I add it?',
  )
}

function build() {
  const header = {
    type: 'session',
    version: 3,
    id: 'example-csv-export',
    timestamp: new Date(clock).toISOString(),
    cwd: '/home/dev/reports',
  }
  add('model_change', { model: 'example/demo' })
  firstTurn()
  abandonedBranch()
  secondTurn()
  thirdTurn()
  return [header, ...entries]
}

/** The file as it would lie on disk. */
export const EXAMPLE_SESSION = build()
  .map((row) => `${JSON.stringify(row)}\n`)
  .join('')

/** Settings that make so small a session worth compacting. */
export const EXAMPLE_VALUES = {
  contextWindow: '16000',
  keepRecentTokens: '420',
  protectTokens: '300',
  minimumSavings: '400',
}
