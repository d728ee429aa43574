// The JSON schema of the configuration file, for editors. `node scripts/write-config-schema.ts` writes it; a test holds it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { configSchema } from '../src/config/schema.ts'

export function configSchemaText(): string {
  const schema = z.toJSONSchema(configSchema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    // A provider without a type speaks OpenAI chat: what is filled in while reading need not be written.
    override({ jsonSchema }) {
      const { type } = jsonSchema.properties ?? {}
      if (typeof type !== 'object' || type.const !== 'openai-compatible') return
      jsonSchema.required = (jsonSchema.required ?? []).filter((name) => name !== 'type')
    },
  })
  return `${JSON.stringify({ title: 'recapd configuration', ...schema }, null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../config.schema.json', import.meta.url), configSchemaText())
}
