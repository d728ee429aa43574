import type { Setting } from './setting.ts'

const MARK = '# recapd connect'
const BEGIN = `${MARK}: begin\n`
const END = `${MARK}: end`
const PUT_ASIDE = '# before recapd connect: '

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
    withoutBlock(text)
      .split('\n')
      .filter((row) => !(row.startsWith(`${key} `) && row.endsWith(MARK)))
      .map((row) => (row.startsWith(PUT_ASIDE) ? row.slice(PUT_ASIDE.length) : row))
      .join('\n')
  return {
    add(text) {
      const rows = remove(text ?? '').split('\n')
      // A key after the first table would belong to that table.
      const tables = rows.findIndex((row) => row.trimStart().startsWith('['))
      const top = rows.slice(0, tables < 0 ? rows.length : tables)
      const aside = top.map((row) => (new RegExp(`^\\s*${key}\\s*=`).test(row) ? `${PUT_ASIDE}${row}` : row))
      const body = [line, ...aside, ...rows.slice(top.length)].join('\n').trimEnd()
      return `${body}\n\n${BEGIN}${block}\n${END}\n`
    },
    remove(text, written) {
      const left = remove(text)
      return written?.before === null && left.trim() === '' ? null : left
    },
  }
}

/** Without our block and the line breaks around it; a block without an end is left. */
function withoutBlock(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = begin < 0 ? -1 : text.indexOf(END, begin + BEGIN.length)
  if (end < 0) return text
  const before = text.slice(0, text[begin - 1] === '\n' ? begin - 1 : begin)
  const after = end + END.length
  return before + text.slice(text[after] === '\n' ? after + 1 : after)
}
