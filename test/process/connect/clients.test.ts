import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CLIENTS } from '../../../src/process/connect/clients.ts'

const PAGE = path.resolve(import.meta.dirname, '../../../integrations/opencode/README.md')

it('CLIENTS.opencode writes what its page tells to write by hand', () => {
  const block = /```json\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? ''
  const written = CLIENTS['opencode']?.setting('http://127.0.0.1:8484').add(null) ?? ''
  expect(JSON.parse(written)).toEqual(JSON.parse(block))
})
