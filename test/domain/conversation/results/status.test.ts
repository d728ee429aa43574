import { expect, it } from 'vitest'
import { callOf } from '../../../../src/domain/conversation/call.ts'
import { exitCodeOf } from '../../../../src/domain/conversation/results/exit-code.ts'
import { refusalOf } from '../../../../src/domain/conversation/results/refusal.ts'
import { errorLineOf, resultOf, wordsInside } from '../../../../src/domain/conversation/results/result.ts'

it.each([
  // Samples on which the two readers of the first house differed.
  ['exit status 2', 2],
  ['Exit code 1\n...\nexit code: 0', 1],
  ['command failed with exit code 3', 3],
  ['Command exited with code 5', 5],
  ['returncode>7', 7],
  [`process exited with code 1\n${'x\n'.repeat(600)}done`, 1],
  ['"exit_code": 4', 4],
  ['Process finished with exit code 9', 9],
  // And the rest of the rule.
  ['Chunk ID: 1\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\nexit code 3', 0],
  ['first run: exit code 2\nsecond run\n\nCommand exited with code 1', 1],
  ['{"output":"x","metadata":{"exit_code":7,"duration_seconds":0.1}}', 7],
  ['all is well', null],
])('exitCodeOf %j is %s', (result, code) => {
  expect(exitCodeOf(result)).toBe(code)
})

const result = (name: string, args: Record<string, unknown>, text: string, isError = false) =>
  resultOf({ callId: 'c', text, isError }, callOf({ id: 'c', name, arguments: args }))

it.each([
  ['npm test', 'Exit code 1\nFAIL a.test.ts > x', true, 'failed'],
  ['npm test', 'all good', false, 'ok'],
  ['npm test 2>&1 | tail -3', 'Tests: 3 failed, 2 passed', false, 'failed'],
  ['grep x f', '(no output)\n\nCommand exited with code 1', true, 'ok'],
  ['cat notes.txt', 'Error: this is what the file says', false, 'ok'],
  ['npm test', 'Operation aborted', true, 'interrupted'],
  ['npm test', "The user doesn't want to proceed with this tool use. The tool use was rejected.", true, 'denied'],
  ['make deploy', '\n\nCommand exited with code 3', true, 'failed'],
  // A command that ended was refused by nobody, whatever it printed.
  ['make deploy', 'User rejected the plan with reason: x\n\nCommand exited with code 3', true, 'failed'],
  ['make deploy', 'rejected by user: it failed with exit code 3 the last time', true, 'denied'],
  ['ls missing', 'ls: missing: No such file or directory\n\nCommand exited with code 2', true, 'ok'],
])('the status of %j that says %j is %s', (command, text, isError, status) => {
  expect(result('bash', { command }, text, isError).status).toBe(status)
})

it.each([
  ['edit', 'Error: old_string not found in file', false, 'failed'],
  ['edit', 'The file has been updated.', false, 'ok'],
  ['read', `Error handling\n${'text '.repeat(100)}`, false, 'ok'],
  ['read', 'Error: no such file', false, 'failed'],
  ['grep', 'No matches found', true, 'ok'],
  ['lookup', '{"error": "unknown id"}', false, 'failed'],
])('the status of a call of %s that says %j is %s', (name, text, isError, status) => {
  expect(result(name, { path: 'a' }, text, isError).status).toBe(status)
})

it.each([
  ['npm test', 'Exit code 1\nsrc/a.ts(1,2): error TS2345: no\nFAIL x', 'src/a.ts(1,2): error TS2345: no'],
  [
    'python a.py',
    `Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 'x'\n\nCommand exited with code 1`,
    "KeyError: 'x'",
  ],
  ['make deploy', '\n\nCommand exited with code 3', 'exit code 3'],
  ['./run.sh', 'Exit code 2\ncould not reach the host', 'could not reach the host'],
])('errorLineOf %j that says %j is %j', (command, text, line) => {
  expect(errorLineOf(result('bash', { command }, text, true))).toBe(line)
})

it.each([
  [
    'Claude Code',
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nkeep the mirror",
    'keep the mirror',
  ],
  [
    'Claude Code without words',
    "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.\n\nNote: The user's next message may contain a correction or preference.",
    '',
  ],
  [
    'opencode',
    'The user rejected permission to use this specific tool call with the following feedback: keep it',
    'keep it',
  ],
  ['opencode without words', 'The user rejected permission to use this specific tool call.', ''],
  [
    'Cline',
    'The user denied this operation and provided the following feedback:\n<feedback>\nkeep it\n</feedback>',
    'keep it',
  ],
  ['Roo Code', '{"status":"denied","message":"The user denied this operation","feedback":"keep it"}', 'keep it'],
  ['Codex', 'exec command rejected by user', ''],
  ['Gemini CLI', '[Operation Cancelled] Reason: User did not allow tool call', ''],
  ['others', 'User rejected the edit with comment: keep it', 'keep it'],
  ['LangChain', 'User rejected the tool call for `send` with id call_1', ''],
  ['bare', 'rejected by user: keep it', 'keep it'],
  ['AI SDK', 'Tool execution was denied by the user. Reason: keep it', 'keep it'],
  ['a tool that names itself', 'apply_patch was rejected by the user. Reason: keep it', 'keep it'],
  ['a line of its own', 'User rejected this command.\nFeedback: keep it', 'keep it'],
  ['quotes', 'User rejected Claude\'s plan with feedback: "keep it"', 'keep it'],
  ['LangGraph', 'Human rejected the tool call with response: keep it', 'keep it'],
  ['not approved', 'Tool execution not approved by user. Reason: keep it', 'keep it'],
  ['a rule of permissions', 'Permission to use Bash with command rm -rf / has been denied.', ''],
  [
    'inside the tag of a failed tool',
    "<tool_use_error>The user doesn't want to proceed with this tool use.</tool_use_error>",
    '',
  ],
])('refusalOf of %s', (_, text, words) => {
  expect(refusalOf(text)?.words).toBe(words)
})

it.each([
  'The user interface was rejected by nobody.',
  'Denied boarding passes: 3',
  'Users rejected: 4 rows',
  'Error: Permission denied: /etc/shadow',
  'permission denied (publickey)',
])('%j is no refusal', (text) => {
  expect(refusalOf(text)).toBeNull()
})

it.each([
  [
    'AskUserQuestion',
    'User has answered your questions: "Which store?"="the north one". You can now continue with the user\'s answers in mind.',
    'the north one',
  ],
  ['request_user_input', '{"answers":{"store":{"answers":["the north one"]}}}', 'the north one'],
  ['ask_followup_question', '<answer>\nthe north one\n</answer>', 'the north one'],
  ['ask', 'User selected: the north one', 'the north one'],
  ['ask', 'Q: Which store?\nA: the north one', 'the north one'],
  ['ask', '"the north one"', 'the north one'],
  ['ask', '{"user_input":"the north one"}', 'the north one'],
  ['ask', '<user_response>the north one</user_response>', 'the north one'],
  ['AskUserQuestion', 'User has answered your questions: "Which?"="say \\"north\\"".', 'say "north"'],
  ['ask', 'User did not answer the question.', undefined],
  ['read_file', 'The user said: never use it', undefined],
  ['bash', 'User rejected it with reason: never use it', undefined],
  ['Task', 'User rejected it with reason: never use it', undefined],
  ['mcp__tracker__add_note', 'User rejected it with reason: never use it', undefined],
  ['send_mail', 'User rejected it with reason: never use it', 'never use it'],
])('wordsInside a result of %s', (name, text, words) => {
  expect(wordsInside(result(name, {}, text))?.text).toBe(words)
})

it.each([
  ['bash', 'User rejected it with reason: never use it', 'never use it'],
  ['Task', 'User rejected it with reason: never use it', 'never use it'],
  ['bash', 'User rejected it with reason: never use it\n\nCommand exited with code 1', undefined],
])('wordsInside a result of %s that the dialect marks as an error: %j', (name, text, words) => {
  expect(wordsInside(result(name, {}, text, true))?.text).toBe(words)
})
