import type { ToolKind } from '../conversation.ts'

/**
 * Tools of the agents by what they do (docs/spec/reading.md §1), the one table of names. Compared after lower-casing and
 * dropping everything but letters and digits, so `str_replace`, `StrReplace` and `str-replace` are one row; of a name with
 * a server or a name space before it (`mcp__files__read_file`, `functions.exec_command`) the last part counts.
 */
const KINDS: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
  read: 'read readfile view viewfile viewimage open openfile cat readmanyfiles readfiles fsread notebookread getfilecontents readtextfile readmultiplefiles readmediafile readmcpresource fileread',
  write:
    'write writefile create createfile writetofile fswrite savefile newfile overwritefile writetextfile createnewfile filewrite createtextfile savetofile',
  edit: 'edit editfile multiedit strreplace strreplaceeditor strreplacebasededittool replace replaceinfile searchreplace insert inserttext notebookedit edittool fsedit updatefile hashlineedit editexistingfile singlefindandreplace appendfile texteditorcodeexecution applypatch applypatchcall patch applydiff applyedit deletefile movefile renamefile insertcontent searchandreplace replacestringinfile insertedit inserteditintofile texteditor multireplacestringinfile fileedit replacefilecontent multireplacefilecontent replaceregex replacelines replacesymbolbody insertatline insertaftersymbol insertbeforesymbol editblock editnotebook editnotebookfile fsreplace fsappend smartedit strreplacefile appendtofile astedit removefile removefiles deletefiles copyfile filedelete',
  run: 'bash shell exec execcommand terminal runterminalcmd runterminalcommand runinterminal runcommand executecommand runshellcommand localshell localshellcall shellcall shellcommand bashexecution python ipython executecode codeexecution bashcodeexecution codeinterpreter codeinterpretercall runcode powershell executebash command bashtool unifiedexec launchprocess runshell executeshellcommand runbash runbashcommand',
  search:
    'grep glob find ls search searchfiles searchfilecontent listfiles listdir listdirectory ripgrep rg codesearch codebasesearch filesearch filesearchcall searchtext toolsearch',
  ask: 'askuserquestion ask askfollowupquestion requestuserinput askuser askquestion question userinput',
  delegate: 'task agent spawnagent subagent runsubagent delegate dispatchagent newtask handoff',
  web: 'websearch webfetch websearchcall googlewebsearch fetch fetchurl browse browser browseraction webextract web urlcontext googlesearch',
}

const BY_NAME = new Map<string, ToolKind>(
  Object.entries(KINDS).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as ToolKind] as const)),
)

/** Tools whose text is a patch that names its files, beside or instead of a path argument. */
const PATCHING: ReadonlySet<string> = new Set(['applypatch', 'applypatchcall', 'patch', 'applydiff', 'applyedit'])

interface KnownTool {
  readonly kind: ToolKind
  readonly key: string
}

// Names come again and again; a conversation has some dozens of them.
const remembered = new Map<string, KnownTool>()
const MOST_REMEMBERED = 1000

/** What the tool of that name does; `other` for every name the table does not hold. */
export function toolKind(name: string): ToolKind {
  return toolOf(name).kind
}

/** Whether the tool takes a patch (`*** Update File: …`, a unified diff). */
export function takesPatch(name: string): boolean {
  return PATCHING.has(toolOf(name).key)
}

/** The name as the table has it, without server or name space: `movefile` of `mcp__files__move_file`. */
export function tableName(name: string): string {
  return toolOf(name).key
}

function toolOf(name: string): KnownTool {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const short = name.slice(0, 200)
  const plain = plainName(short)
  const key = BY_NAME.has(plain) ? plain : plainName(lastPart(short))
  const tool: KnownTool = { kind: BY_NAME.get(key) ?? 'other', key }
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(name, tool)
  return tool
}

function lastPart(name: string): string {
  const after = Math.max(name.lastIndexOf('__') + 1, ...['.', ':', '/'].map((mark) => name.lastIndexOf(mark)))
  return after <= 0 ? '' : name.slice(after + 1)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
