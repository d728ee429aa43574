import { globSync, readFileSync } from 'node:fs'

const TITLE = /^\s*(?:(?:describe|it|test)\b.*\(|\]\)\()/

/** The lines that name the tests of this project, wherever their files stand; rows of tables included. */
export function testTitles(): readonly string[] {
  return globSync('test/**/*.test.ts').flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line, at) => TITLE.test(line) || TITLE.test(lines[at - 1] ?? '') || /^\s*\['[BT]\d/.test(line))
  })
}
