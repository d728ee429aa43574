import { describe, expect, it } from 'vitest'
import { callOf, modifiedPaths, readPaths } from '../../../../src/domain/conversation/call.ts'
import { cleanPath } from '../../../../src/domain/conversation/tools/clean-path.ts'
import { toolKind } from '../../../../src/domain/conversation/tools/tool-kinds.ts'

const call = (name: string, args: unknown) => callOf({ id: 'c', name, arguments: args })

describe('modifiedPaths and readPaths', () => {
  it.each([
    // Samples on which the two readers of the first house differed (docs/spec/reading.md §1).
    ['bash', { command: "sed -i 's/a/b/' src/a.ts" }, [], ['src/a.ts']],
    ['bash', { command: 'echo hi > src/new.ts' }, [], ['src/new.ts']],
    ['bash', { command: "cat > src/x.ts <<'E'\nE" }, [], ['src/x.ts']],
    ['edit', { path: 'src/a.ts:5-16,960-973' }, [], ['src/a.ts']],
    ['write', { path: 'src/dir/' }, [], []],
    ['multi_edit', { edits: [{ file_path: 'src/b.ts' }] }, [], ['src/b.ts']],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: src/c.ts\n*** End Patch' }, [], ['src/c.ts']],
    ['replace', { file_paths: ['x.ts'] }, [], ['x.ts']],
    ['str_replace_editor', { command: 'read', path: 'y.ts' }, ['y.ts'], []],
    // The rest of the table.
    ['read', { path: 'a' }, ['a'], []],
    ['Read', { file_path: 'a' }, ['a'], []],
    ['mcp__files__read_file', { filename: 'a' }, ['a'], []],
    ['read_many_files', { paths: ['b', 'a:1-9', 3] }, ['b', 'a'], []],
    ['read_files', { files: [{ path: 'a' }, { file_path: 'b' }] }, ['a', 'b'], []],
    ['str_replace_editor', { command: 'view', path: 'a' }, ['a'], []],
    ['str_replace_editor', { command: 'insert', path: 'a' }, [], ['a']],
    ['Write', { file_path: 'a', content: '*** Update File: not-this' }, [], ['a']],
    ['multi_edit', { target_file: 'a' }, [], ['a']],
    ['edit', { notebook_path: 'a.ipynb' }, [], ['a.ipynb']],
    ['edit', { input: '§src/a.ts\n≔1\nx\n§src/b.ts\n»2\ny' }, [], ['src/a.ts', 'src/b.ts']],
    ['apply_patch', '*** Begin Patch\n*** Add File: a b.md\n+x', [], ['a b.md']],
    ['patch', { path: 'a', old_string: 'x' }, [], ['a']],
    ['shell', { command: ['bash', '-lc', "apply_patch <<'EOF'\n*** Add File: a\n+x\nEOF"] }, [], ['a']],
    ['apply_patch_call', { operation: { type: 'create_file', path: 'n.ts', diff: '+x' } }, [], ['n.ts']],
    ['shell_call', { action: { commands: ['rm old.ts', 'mv a.ts lib/'] } }, [], ['old.ts', 'a.ts', 'lib/a.ts']],
    ['bash', { command: 'diff x y\n+++ b/no' }, [], []],
    ['create_text_file', { relative_path: 'a' }, [], ['a']],
    ['replace_regex', { relative_path: 'a' }, [], ['a']],
    ['edit_block', { file_path: 'a' }, [], ['a']],
    ['create_new_file', { filepath: 'a' }, [], ['a']],
    ['edit_notebook', { target_notebook: 'a.ipynb' }, [], ['a.ipynb']],
    ['fsReplace', { path: 'a' }, [], ['a']],
    ['replace_file_content', { TargetFile: 'a' }, [], ['a']],
    ['StrReplaceFile', { path: 'a' }, [], ['a']],
    ['append_to_file', { path: 'a' }, [], ['a']],
    ['remove_file', { path: 'a' }, [], ['a']],
    ['mcp__filesystem__move_file', { source: 'a', destination: 'b' }, [], ['a', 'b']],
    ['copy_file', { source: 'a', destination: 'b' }, [], ['b']],
    ['remove-files', { file_paths: ['a', 'b'] }, [], ['a', 'b']],
    ['run_command', { CommandLine: 'rm a' }, [], ['a']],
    ['unified_exec', { input: ['bash', '-lc', 'rm a'] }, [], ['a']],
    ['grep', { path: 'a' }, [], []],
    ['telegram_send', { path: 'a' }, [], []],
    ['read', { path: '' }, [], []],
    ['read', null, [], []],
  ])('%s %j reads %j and modifies %j', (name, args, read, modified) => {
    expect([readPaths(call(name, args)), modifiedPaths(call(name, args))]).toEqual([read, modified])
  })

  it('says what a patch does to each file', () => {
    const patch =
      '*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: c\n*** Delete File: d\n+*** not\n*** End Patch'
    expect(call('apply_patch', { input: patch }).paths).toEqual([
      { path: 'a', use: 'moved', to: 'b' },
      { path: 'c', use: 'added' },
      { path: 'd', use: 'deleted' },
    ])
    const diff = '--- a/old.py\n+++ b/old.py\n--- /dev/null\n+++ b/added.py\n--- a/gone.py\n+++ /dev/null'
    expect(call('patch', { patch: diff }).paths).toEqual([
      { path: 'old.py', use: 'updated' },
      { path: 'added.py', use: 'added' },
      { path: 'gone.py', use: 'deleted' },
    ])
  })
})

it.each([
  [
    'cat a > b 2>> c',
    [
      ['b', 'added'],
      ['c', 'added'],
    ],
  ],
  ['make 2>&1 | tee build.txt', [['build.txt', 'added']]],
  [
    'sed -i -e s/a/b/ x.ts y.ts',
    [
      ['x.ts', 'updated'],
      ['y.ts', 'updated'],
    ],
  ],
  ["perl -pi -e 's/a/b/' z.pl", [['z.pl', 'updated']]],
  [
    'git mv a.ts b.ts && git rm c.ts',
    [
      ['a.ts', 'moved'],
      ['c.ts', 'deleted'],
    ],
  ],
  [
    'cp a.ts b.ts dir',
    [
      ['dir/a.ts', 'added'],
      ['dir/b.ts', 'added'],
    ],
  ],
  ['echo "x > y" && node -e "a => b"', []],
  ['ls > /dev/null; make > $OUT', []],
  ['rm -rf *', []],
])('files of the command %j', (command, wanted) => {
  expect(call('bash', { command }).paths.map(({ path, use }) => [path, use])).toEqual(wanted)
})

it.each([
  ['(cd x; echo hi > y.txt)', ['y.txt']],
  ['echo $(date) > now.txt', ['now.txt']],
  ["sudo bash -c 'echo hi > /etc/a.conf'", ['/etc/a.conf']],
  ['mv -t dir a.ts', ['a.ts', 'dir/a.ts']],
  ['mv -tdir a.ts', ['a.ts', 'dir/a.ts']],
  ['cp --target-directory=dir a.ts', ['dir/a.ts']],
  ['install -m 644 a.conf /etc/a.conf', ['/etc/a.conf']],
  ['touch -d yesterday a.ts', ['a.ts']],
  ['rm -- -odd.ts', ['-odd.ts']],
  ['rmdir old', ['old']],
  ['ln -s a.ts b.ts', ['b.ts']],
  ['dd if=/dev/zero of=disk.img bs=1M', ['disk.img']],
  ['curl -sLo out.json https://x.y/z', ['out.json']],
  ['wget -O page.html https://x.y', ['page.html']],
  ["perl -0pi -e 's/a/b/' x.pl", ['x.pl']],
  ["perl -Mstrict -e 's/a/b/' x.pl", []],
  ["yq -i '.a=1' conf.yml", ['conf.yml']],
  ['git -C sub mv a.ts b.ts', ['a.ts', 'b.ts']],
  ['git rm --cached a.ts', []],
  ["git apply <<'E'\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\nE", ['x.ts']],
  ["patch -p1 <<'E'\n--- a/x.ts\n+++ /dev/null\nE", ['x.ts']],
  ["cat > how.md <<'E'\n*** Update File: not-this.ts\nE", ['how.md']],
])('the command %j modifies %j', (command, modified) => {
  expect(modifiedPaths(call('bash', { command }))).toEqual(modified)
})

it.each([
  [{ command: ' npm test ' }, 'npm test'],
  [{ cmd: 'ls' }, 'ls'],
  [{ command: ['/bin/bash', '-lc', 'make test'] }, 'make test'],
  [{ command: ['bash', '-c', 'npm ci', 'x'] }, 'npm ci'],
  [{ command: ['bash', 'script.sh'] }, 'bash script.sh'],
  [{ command: ['git', 'status'] }, 'git status'],
  [{ action: { command: ['bash', '-lc', 'ls'] } }, 'ls'],
  [{ command: 7 }, ''],
])('command of %j is %j', (args, command) => {
  expect(call('shell', args).command).toBe(command)
})

it('only a tool that runs has a command', () => {
  expect(call('read', { command: 'make' }).command).toBe('')
})

it.each([
  ['StrReplace', 'edit'],
  ['functions.exec_command', 'run'],
  ['mcp__search__web_search', 'web'],
  ['AskUserQuestion', 'ask'],
  ['Task', 'delegate'],
  ['telegram_send', 'other'],
])('toolKind of %s is %s', (name, kind) => {
  expect(toolKind(name)).toBe(kind)
})

it.each([
  ['src/a.ts:50-200', 'src/a.ts'],
  ['src/a.ts:12', 'src/a.ts'],
  ['src/a.ts:50+20', 'src/a.ts'],
  ['a.bin:1-2:raw', 'a.bin'],
  [' my file é.ts ', 'my file é.ts'],
  ['C:\\work\\a.ts:10-20', 'C:\\work\\a.ts'],
  ['a:b.ts', 'a:b.ts'],
  ['https://example.org/x', null],
  ['two\nlines', null],
  ['x'.repeat(2000), null],
])('cleanPath of %s is %s', (path, expected) => {
  expect(cleanPath(path)).toBe(expected)
})
