import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

it('main.ts is a link to main.js: Node has no TypeScript to compile before the cache is open', () => {
  expect(readlinkSync(path.resolve(import.meta.dirname, '../src/main.ts'))).toBe('main.js')
})
