import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configSchemaText } from '../../scripts/write-config-schema.ts'

it('config.schema.json is what the schema generates (node scripts/write-config-schema.ts writes it)', () => {
  const file = new URL('../../config.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(configSchemaText()))
})
