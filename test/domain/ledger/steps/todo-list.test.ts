import { expect, test } from 'vitest'
import { todoList } from '../../../../src/domain/ledger/steps/todo-list.ts'
import { timelineOf } from '../../../../src/domain/ledger/timeline.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const create = (subject: string, n: number): ToldStep => ({
  tool: 'TaskCreate',
  args: { subject },
  output: `Task #${n} created successfully: ${subject}`,
})
const update = (taskId: string, status: string): ToldStep => ({
  tool: 'TaskUpdate',
  args: { taskId, status },
  output: `Updated task #${taskId} status`,
})

test('todoList reads a list of which every call tells one entry', () => {
  const steps = [create('Write the reader', 1), create('Test it', 2), create('Document it', 3)]
  const changes = [update('1', 'completed'), update('2', 'in_progress'), update('3', 'deleted')]
  const todos = todoList(timelineOf(told({ user: 'Go.' }, ...steps, ...changes), 0))
  expect(todos.map(({ text, state }) => [text, state])).toEqual([
    ['Write the reader', 'done'],
    ['Test it', 'running'],
    ['Document it', 'done'],
  ])
})
