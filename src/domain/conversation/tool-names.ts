/**
 * What a tool does to files, whatever its agent calls it (docs/spec/compaction.md §8). Names are compared after lower-casing and
 * dropping everything but letters and digits, so `str_replace`, `StrReplace` and `str-replace` are one row.
 */
export type ToolEffect = 'read' | 'write' | 'edit' | 'patch' | 'shell' | 'search' | 'other'

const EFFECTS: Readonly<Record<Exclude<ToolEffect, 'other'>, readonly string[]>> = {
  read: [
    'read',
    'readfile',
    'view',
    'viewfile',
    'viewimage',
    'open',
    'openfile',
    'cat',
    'readmanyfiles',
    'readfiles',
    'fsread',
    'notebookread',
    'getfilecontents',
    'readtextfile',
  ],
  write: [
    'write',
    'writefile',
    'create',
    'createfile',
    'writetofile',
    'fswrite',
    'savefile',
    'newfile',
    'overwritefile',
    'writetextfile',
    'createnewfile',
  ],
  edit: [
    'edit',
    'editfile',
    'multiedit',
    'strreplace',
    'strreplaceeditor',
    'strreplacebasededittool',
    'replace',
    'replaceinfile',
    'searchreplace',
    'insert',
    'inserttext',
    'notebookedit',
    'edittool',
    'fsedit',
    'updatefile',
    'hashlineedit',
    'editexistingfile',
    'singlefindandreplace',
    'appendfile',
  ],
  patch: ['applypatch', 'patch', 'applydiff', 'applyedit'],
  shell: [
    'bash',
    'shell',
    'execcommand',
    'exec',
    'terminal',
    'runterminalcmd',
    'runcommand',
    'executecommand',
    'runshellcommand',
    'localshell',
    'python',
    'powershell',
    'executebash',
    'command',
  ],
  search: [
    'grep',
    'glob',
    'find',
    'ls',
    'search',
    'searchfiles',
    'listfiles',
    'listdir',
    'ripgrep',
    'rg',
    'websearch',
    'webfetch',
    'codesearch',
  ],
}

const BY_NAME = new Map<string, ToolEffect>(
  Object.entries(EFFECTS).flatMap(([effect, names]) => names.map((name) => [name, effect as ToolEffect] as const)),
)

/** Argument names that hold the path of a file, in order of preference. */
export const PATH_ARGUMENTS = [
  'path',
  'file_path',
  'filePath',
  'filename',
  'target_file',
  'notebook_path',
  'absolute_path',
  'relative_path',
] as const

/** Effect of the tool of that name; `other` for every name the table does not hold. */
export function toolEffect(name: string): ToolEffect {
  return BY_NAME.get(name) ?? BY_NAME.get(name.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? 'other'
}
