// What the playground knows of tables of src. `node scripts/write-playground-tables.ts` writes them; a test holds them.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ANTHROPIC_BLOCK_TYPES } from '../src/domain/dialects/anthropic/blocks.ts'
import { ROLLOUT_TYPES } from '../src/domain/dialects/codex/read.ts'
import { LANGCHAIN_TYPES } from '../src/domain/dialects/langchain/forms.ts'
import { OPENAI_PART_TYPES } from '../src/domain/dialects/openai/parts.ts'
import { RESPONSES_ITEM_TYPES } from '../src/domain/dialects/responses/items.ts'
import { RESPONSES_PART_TYPES } from '../src/domain/dialects/responses/parts.ts'
import { VERCEL_PART_TYPES } from '../src/domain/dialects/vercel/parts.ts'
import { ENDPOINT_NAMES, ENDPOINTS } from '../src/requests/endpoints.ts'

const madeFrom = (source: string): string =>
  `// Made by scripts/write-playground-tables.ts from ${source}; change that one.\n`

function endpointTable(): string {
  const rows = ENDPOINT_NAMES.map((name) => {
    const { path, events } = ENDPOINTS[name]
    return `  ${keyOf(name)}: { path: '${path}', streams: ${events === 'named'} },\n`
  })
  return `${madeFrom('src/requests/endpoints.ts')}export const ENDPOINT_TABLE = {\n${rows.join('')}}\n`
}

/** Types that only one dialect of typed parts has, with that dialect. */
function dialectOfPart(): readonly (readonly [string, string])[] {
  const types = {
    openai: OPENAI_PART_TYPES,
    anthropic: ANTHROPIC_BLOCK_TYPES,
    responses: RESPONSES_PART_TYPES,
    vercel: VERCEL_PART_TYPES,
  }
  const all = Object.entries(types).flatMap(([dialect, own]) => own.map((type) => [String(type), dialect] as const))
  return all.filter(([type]) => all.filter(([other]) => other === type).length === 1)
}

function rowTypes(): string {
  const parts = dialectOfPart().map(([type, dialect]) => `  ${keyOf(type)}: '${dialect}',\n`)
  return `${madeFrom('src/domain/dialects')}
/** @type {Readonly<Record<string, string>>} */
export const DIALECT_OF_PART = {
${parts.join('')}}

${constant('RESPONSES_ITEMS', RESPONSES_ITEM_TYPES)}
${constant('LANGCHAIN_TYPES', LANGCHAIN_TYPES)}
${constant('ROLLOUT_TYPES', ROLLOUT_TYPES)}`
}

/** As the formatter has it: on one line where it fits. */
function constant(name: string, types: Iterable<unknown>): string {
  const all = [...types].map((type) => `'${String(type)}'`)
  const line = `export const ${name} = [${all.join(', ')}]`
  const text = line.length <= 120 ? line : `export const ${name} = [\n${all.map((type) => `  ${type},\n`).join('')}]`
  return `/** @type {readonly unknown[]} */\n${text}\n`
}

const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

/** The made files of src/web/playground by their names. */
export const playgroundTables = (): Readonly<Record<string, string>> => ({
  'request/endpoint-table.js': endpointTable(),
  'source/row-types.js': rowTypes(),
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(playgroundTables()))
    writeFileSync(new URL(`../src/web/playground/${name}`, import.meta.url), text)
}
