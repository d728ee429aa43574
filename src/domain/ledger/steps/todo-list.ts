import type { Timeline } from '../timeline.ts'

/** One entry of a task list that the agent keeps by a tool. */
export interface Todo {
  readonly text: string
  readonly state: 'done' | 'running' | 'open'
  /** Place of the call that set it. */
  readonly at: number
}

const LISTS = ['todos', 'plan', 'items', 'tasks', 'todo_list', 'steps', 'phases'] as const
const TEXTS = ['content', 'step', 'title', 'text', 'task', 'description', 'name', 'subject'] as const
const MOST = 60

/** The newest whole task list of the conversation; the tools that keep one are known by their arguments, not their names. */
export function todoList({ acts }: Timeline): Todo[] {
  for (let i = acts.length - 1; i >= 0; i -= 1) {
    const act = acts[i]
    if (
      act === undefined ||
      act.call.tool !== 'other' ||
      act.result?.status === 'failed' ||
      act.result?.status === 'denied'
    )
      continue
    for (const name of LISTS) {
      const list = act.call.arguments[name]
      if (!Array.isArray(list)) continue
      const todos = list
        .slice(0, MOST)
        .flatMap((item: unknown) => todoOf(item, act.at))
        .slice(0, MOST)
      if (todos.length > 0) return todos
    }
  }
  return toldOneByOne(acts)
}

const ONE_TASK = /^task_?(create|update)$/i
const NUMBER = /#?(\d{1,6})\b/

/** Lists of which every call gives one entry: made with its subject, later named by its number. */
function toldOneByOne(acts: Timeline['acts']): Todo[] {
  const tasks = new Map<string, Todo>()
  for (const { at, call, result } of acts) {
    const kind = ONE_TASK.exec(call.name)?.[1]?.toLowerCase()
    if (kind === undefined || result?.status === 'failed' || result?.status === 'denied') continue
    const { subject, taskId, status } = call.arguments
    if (kind === 'create' && typeof subject === 'string' && tasks.size < MOST)
      tasks.set(NUMBER.exec(result?.text.slice(0, 200) ?? '')?.[1] ?? `${tasks.size + 1}`, {
        text: subject.trim(),
        state: 'open',
        at,
      })
    const known = tasks.get(`${typeof taskId === 'number' || typeof taskId === 'string' ? taskId : ''}`)
    if (kind === 'update' && known !== undefined && typeof status === 'string')
      tasks.set(`${taskId}`, { ...known, at, state: status === 'deleted' ? 'done' : stateOf(status.toLowerCase()) })
  }
  return [...tasks.values()]
}

function todoOf(item: unknown, at: number): Todo[] {
  if (typeof item !== 'object' || item === null) return []
  const fields = new Map<string, unknown>(Object.entries(item))
  const nested = fields.get('tasks')
  if (Array.isArray(nested)) return nested.slice(0, MOST).flatMap((each: unknown) => todoOf(each, at))
  const state = fields.get('status') ?? fields.get('state')
  if (typeof state !== 'string') return []
  const text = TEXTS.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof text === 'string' ? [{ text: text.trim(), state: stateOf(state.toLowerCase()), at }] : []
}

function stateOf(word: string): Todo['state'] {
  if (/^(?:done|completed?|finished|closed|abandoned|cancell?ed)$/.test(word)) return 'done'
  return /progress|running|active|doing/.test(word) ? 'running' : 'open'
}
