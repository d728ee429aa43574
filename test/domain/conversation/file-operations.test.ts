import { describe, expect, it } from 'vitest'
import { fileLists, sessionToolUses } from '../../../src/domain/conversation/file-operations.ts'
import { cleanPath } from '../../../src/domain/conversation/file-paths.ts'
import { assistantMessage } from '../../support/session-builder.ts'

const listsOf = (name: string, args: unknown, isFailed = false) => fileLists([{ name, args, isFailed }])
const read = (...readFiles: readonly string[]) => ({ readFiles, modifiedFiles: [] })
const modified = (...modifiedFiles: readonly string[]) => ({ readFiles: [], modifiedFiles })

describe('fileLists', () => {
  it.each([
    ['read', { path: 'a' }, read('a')],
    ['Read', { file_path: 'a' }, read('a')],
    ['read_file', { filename: 'a' }, read('a')],
    ['view', { filePath: 'a' }, read('a')],
    ['read_many_files', { paths: ['b', 'a:1-9', 3] }, read('a', 'b')],
    ['read_files', { files: [{ path: 'a' }, { file_path: 'b' }] }, read('a', 'b')],
    ['str_replace_editor', { command: 'view', path: 'a' }, read('a')],
    ['str_replace_editor', { command: 'insert', path: 'a' }, modified('a')],
    ['Write', { file_path: 'a', content: '*** Update File: not-this' }, modified('a')],
    ['create', { path: 'a' }, modified('a')],
    ['multi_edit', { target_file: 'a' }, modified('a')],
    ['edit', { notebook_path: 'a.ipynb' }, modified('a.ipynb')],
    ['edit', { input: '§src/a.ts\n≔1\nx\n§src/b.ts\n»2\ny' }, modified('src/a.ts', 'src/b.ts')],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: c\n*** Delete File: d\n+*** not' },
      modified('a', 'b', 'c', 'd'),
    ],
    ['apply_patch', '*** Begin Patch\n*** Add File: a b.md\n+x', modified('a b.md')],
    [
      'patch',
      { patch: '--- a/old.py\n+++ b/new.py\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/added.py' },
      modified('added.py', 'new.py', 'old.py'),
    ],
    ['patch', { path: 'a', old_string: 'x' }, modified('a')],
    ['bash', { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\nEOF" }, modified('a')],
    ['shell', { command: ['bash', '-lc', 'apply_patch\n*** Add File: a\n'] }, modified('a')],
    ['bash', { command: 'diff x y\n+++ b/no' }, read()],
    ['grep', { path: 'a' }, read()],
    ['telegram_send', { path: 'a' }, read()],
    ['read', { path: '' }, read()],
    ['read', { path: 42 }, read()],
    ['read', null, read()],
  ])('%s %o', (name, args, expected) => {
    expect(listsOf(name, args)).toEqual(expected)
  })

  it('counts a failed call as no modification', () => {
    expect(listsOf('write', { path: 'a' }, true)).toEqual(modified())
    expect(listsOf('apply_patch', '*** Add File: a', true)).toEqual(modified())
  })

  it('does not list a modified file as read, sorts, and grows over earlier lists', () => {
    const uses = ['b', 'a'].map((path) => ({ name: 'write', args: { path }, isFailed: false }))
    const earlier = [{ readFiles: ['z', 'a', 'c:1-5', 7], modifiedFiles: ['m'] }, undefined, { readFiles: 'odd' }]
    expect(fileLists(uses, earlier)).toEqual({ readFiles: ['c', 'z'], modifiedFiles: ['a', 'b', 'm'] })
  })
})

describe('cleanPath', () => {
  it.each([
    ['src/a.ts:50-200', 'src/a.ts'],
    ['src/a.ts:12', 'src/a.ts'],
    ['src/a.ts:50+20', 'src/a.ts'],
    ['src/a.ts:5-16,960-973', 'src/a.ts'],
    ['a.bin:raw', 'a.bin'],
    ['a.bin:1-2:raw', 'a.bin'],
    [' my file é.ts ', 'my file é.ts'],
    ['C:\\work\\a.ts', 'C:\\work\\a.ts'],
    ['C:\\work\\a.ts:10-20', 'C:\\work\\a.ts'],
    ['a:b.ts', 'a:b.ts'],
    ['https://example.org/x', null],
    ['skill://review', null],
    ['two\nlines', null],
    ['x'.repeat(2000), null],
  ])('%s', (path, expected) => {
    expect(cleanPath(path)).toBe(expected)
  })
})

describe('sessionToolUses', () => {
  const call = (id: string, path: string) =>
    assistantMessage('', [{ id, name: 'write', arguments: { path } }]) as { role: string }
  const result = (toolCallId: string, isError: boolean) => ({ role: 'toolResult', toolCallId, isError })

  it('marks the calls whose results are errors, ids that come again included', () => {
    const messages = [call('c', 'denied'), result('c', true), call('c', 'fine'), result('c', false), call('d', 'open')]
    expect(sessionToolUses(messages).map((use) => use.isFailed)).toEqual([true, false, false])
    expect(fileLists(sessionToolUses(messages)).modifiedFiles).toEqual(['fine', 'open'])
  })
})
