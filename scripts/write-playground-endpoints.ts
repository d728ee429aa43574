// What the playground knows of the table of endpoints. `node scripts/write-playground-endpoints.ts` writes it; a test holds it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ENDPOINT_NAMES, ENDPOINTS } from '../src/requests/endpoints.ts'

export function playgroundEndpointsText(): string {
  const rows = ENDPOINT_NAMES.map((name) => {
    const { path, events } = ENDPOINTS[name]
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `  ${key}: { path: '${path}', streams: ${events === 'named'} },\n`
  })
  return `// Made by scripts/write-playground-endpoints.ts from src/requests/endpoints.ts; change that one.\nexport const ENDPOINT_TABLE = {\n${rows.join('')}}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/web/playground/endpoint-table.js', import.meta.url), playgroundEndpointsText())
}
