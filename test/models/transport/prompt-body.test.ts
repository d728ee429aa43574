import { expect, it } from 'vitest'
import { promptBody } from '../../../src/models/transport/prompt-body.ts'

const shell = (prompt: string) => ({ model: '""', messages: [{ content: 'S ""' }, { content: prompt }] })
const request = { system: 'S.', prompt: 'é"', deadlineAt: 0 }

it('promptBody sets a prompt in as it was spelled', () => {
  const json = Buffer.from(String.raw`"\u00e9\""`)
  const body = promptBody({ ...request, spelled: { text: request.prompt, json } }, shell)
  expect(JSON.parse(body.toString())).toEqual(shell(request.prompt))
  expect(body.toString()).toContain(json.toString())
})

it('promptBody writes a prompt that was reworded since, or came otherwise', () => {
  const json = Buffer.from('"an earlier one"')
  const reworded = promptBody({ ...request, spelled: { text: 'an earlier one', json } }, shell)
  expect(reworded).toBe(JSON.stringify(shell(request.prompt)))
  expect(promptBody(request, shell)).toBe(reworded)
})
