import { expect, it } from 'vitest'
import { spelledPrompt, textPrompt } from '../../../src/models/prompt.ts'
import { promptBody } from '../../../src/models/transport/prompt-body.ts'

const shell = (prompt: string) => ({ model: '""', messages: [{ content: 'S ""' }, { content: prompt }] })
const TEXT = 'é"'

it('promptBody sets a prompt in as it was spelled', () => {
  const json = Buffer.from(String.raw`"\u00e9\""`)
  const body = promptBody({ prompt: spelledPrompt(json) }, shell)
  expect(JSON.parse(body.toString())).toEqual(shell(TEXT))
  expect(body.toString()).toContain(json.toString())
})

it('promptBody writes a prompt that is a text', () => {
  expect(promptBody({ prompt: textPrompt(TEXT) }, shell)).toBe(JSON.stringify(shell(TEXT)))
})
