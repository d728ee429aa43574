// Writes openapi.yaml from the schemas; a test fails while the two differ, so that the service serves the file as it lies.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { openapiDocument } from '../src/http/openapi/document.ts'

const root = new URL('../', import.meta.url)

export function openapiText(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  return stringify(openapiDocument(version), { lineWidth: 0, aliasDuplicateObjects: false })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('openapi.yaml', root), openapiText())
}
