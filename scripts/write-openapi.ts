// Writes openapi.yaml from the schemas; a test fails while the two differ.
import { readFileSync, writeFileSync } from 'node:fs'
import { openapiYaml } from '../src/http/openapi/document.ts'

const root = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
writeFileSync(new URL('openapi.yaml', root), openapiYaml(version))
