import type { Setting } from './setting.ts'

const MARK = '# recapd connect'
const PUT_ASIDE = '# before recapd connect: '
const BLOCK = /\n?# recapd connect: begin\n[\s\S]*?# recapd connect: end\n?/

/** A key at the top of a TOML file and a block of its own at the end; everything else stays as it is, byte for byte. */
export function tomlSetting({
  key,
  value,
  block,
}: {
  readonly key: string
  readonly value: string
  readonly block: string
}): Setting {
  const line = `${key} = ${JSON.stringify(value)} ${MARK}`
  const remove = (text: string) =>
    text
      .replace(BLOCK, '')
      .split('\n')
      .filter((row) => !(row.startsWith(`${key} `) && row.endsWith(MARK)))
      .map((row) => (row.startsWith(PUT_ASIDE) ? row.slice(PUT_ASIDE.length) : row))
      .join('\n')
  return {
    add(text) {
      const rows = remove(text ?? '').split('\n')
      // A key behind the first table would belong to that table.
      const tables = rows.findIndex((row) => row.trimStart().startsWith('['))
      const top = rows.slice(0, tables < 0 ? rows.length : tables)
      const aside = top.map((row) => (new RegExp(`^\\s*${key}\\s*=`).test(row) ? `${PUT_ASIDE}${row}` : row))
      const body = [line, ...aside, ...rows.slice(top.length)].join('\n').trimEnd()
      return `${body}\n\n# recapd connect: begin\n${block}\n# recapd connect: end\n`
    },
    remove(text, before) {
      const left = remove(text)
      return before === null && left.trim() === '' ? null : left
    },
  }
}
