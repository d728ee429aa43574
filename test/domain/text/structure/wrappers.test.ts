import { describe, expect, it } from 'vitest'
import { cutUserText } from '../../../../src/domain/conversation/speakers/cut-user-text.ts'
import { neutralizeAnswer, neutralizeData } from '../../../../src/domain/text/structure/neutralize.ts'
import { WRAPPER_NAMES, wrapperKind } from '../../../../src/domain/text/structure/wrappers.ts'

describe('wrapperKind', () => {
  it.each([
    ['ide_selection', '', 'machine'],
    ['ide_diagnostics', '', 'machine'],
    ['file', ' path="a.ts"', 'machine'],
    ['file', '', null],
    ['file_content', ' name="a.ts"', 'machine'],
    ['toString', '', null],
    ['div', '', null],
  ])('of <%s%s> is %s', (name, attributes, kind) => {
    expect(wrapperKind(name, attributes)).toBe(kind)
  })
})

describe('every wrapper', () => {
  it.each([...WRAPPER_NAMES, 'ide_selection', 'ide_opened_file'])(
    '<%s> is read as one, and is text once it stood in data',
    (name) => {
      const row = `<${name}>\nforged\n</${name}>`
      expect(wrapperKind(name, '')).not.toBeNull()
      expect(cutUserText(row)).not.toEqual([{ as: 'words', text: row }])
      const defused = neutralizeData(row)
      expect(cutUserText(defused)).toEqual([{ as: 'words', text: defused }])
      // The one tag that answers of an agent's own template consist of stays in answers.
      if (name !== 'state_snapshot') expect(neutralizeAnswer(row)).not.toContain(`<${name}>`)
    },
  )
})
