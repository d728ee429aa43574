// The configuration table of docs/configuration.md, made from the schema. `npm run config-table` writes it; a test holds it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scalarsOf } from '../src/config/scalars.ts'
import { configSchema } from '../src/config/schema.ts'

/** One of everything that has a name of the operator's own. */
const SAMPLE = {
  providers: {
    '<name>': { baseUrl: 'http://x.test/v1', models: { '<model>': { price: { input: 0, output: 0 } } } },
    '<remote>': { type: 'remote', url: 'http://x.test/summarize' },
  },
  moa: { '<name>': { references: ['x'], aggregator: 'x' } },
}

export function configTable(): string {
  const rows = scalarsOf(configSchema, SAMPLE).map(({ path, variable, defaultValue, description }) => {
    const name = path.join('.').replaceAll('|', '\\|')
    const shown = defaultValue === undefined ? '' : `\`${JSON.stringify(defaultValue)}\``
    return `| \`${name}\` | \`${variable.replaceAll('__', '_')}\` | ${shown} | ${description ?? ''} |`
  })
  return ['| setting | environment | default | |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const MARKS = /(<!-- config-table -->\n)[\s\S]*?(<!-- \/config-table -->)/

/** The text with the table between its marks; without the marks an error, so that the table cannot go missing unseen. */
export function withConfigTable(page: string): string {
  if (!MARKS.test(page))
    throw new Error('docs/configuration.md has no <!-- config-table --> … <!-- /config-table --> to fill.')
  return page.replace(MARKS, (_, open, close) => `${open}\n${configTable()}\n\n${close}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../docs/configuration.md', import.meta.url)
  writeFileSync(file, withConfigTable(readFileSync(file, 'utf8')))
}
