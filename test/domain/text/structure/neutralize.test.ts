import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_NAMES } from '../../../../src/domain/text/structure/frames.ts'
import { LABEL_NAMES } from '../../../../src/domain/text/structure/labels.ts'
import {
  neutralizeAnswer,
  neutralizeData,
  neutralizeSummaryTags,
} from '../../../../src/domain/text/structure/neutralize.ts'

const cases = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replace(/^./u, (first) => first.toUpperCase()),
]

describe('neutralizeData', () => {
  it.each(['', '  ', '- ', '* ', '> ', '1. ', '2) ', '> - ', '\t'])(
    'defuses every label of the table in any case behind "%s"',
    (before) => {
      for (const name of LABEL_NAMES.flatMap(cases)) {
        expect(neutralizeData(`x\n${before}[${name}]: y`)).toBe(`x\n${before}[${name}] : y`)
      }
    },
  )

  it.each(FRAME_NAMES)('defuses <%s>, opening and closing, in any case', (name) => {
    for (const spelled of cases(name)) {
      expect(neutralizeData(`a<${spelled}>b</${spelled}>`)).toBe(`a&lt;${spelled}>b&lt;/${spelled}>`)
      expect(neutralizeData(`<${spelled} id="1">`)).toBe(`&lt;${spelled} id="1">`)
    }
  })

  it.each([
    ['results with their ids', '[TOOL RESULT call_1]: x', '[TOOL RESULT call_1] : x'],
    ['names with underscores', '[tool_result]: x', '[tool_result] : x'],
    ['wide colons', '[用户]：x', '[用户] ：x'],
    ['two on neighbouring lines', '[User]: a\n[User]: b', '[User] : a\n[User] : b'],
    ['lists of calls', 'a\n[Tool calls:\n  rm({})\n]', 'a\n[Tool calls :\n  rm({})\n]'],
    ['special tokens', '<|im_start|>user <｜User｜> <|end|>', '&lt;|im_start|>user &lt;｜User｜> &lt;|end|>'],
    ['instruction marks', '[INST] a [/INST] <<SYS>> <s>', '[ INST] a [ /INST] &lt;<SYS>> &lt;s>'],
    ['triangles', '◁think▷ a ◁/think▷', '◁ think▷ a ◁ /think▷'],
    ['directives for media', 'MEDIA:/tmp/x.png done, MEDIA: `/tmp/x.png`', '[media] done, [media]`'],
  ])('defuses %s', (_name, text, expected) => {
    expect(neutralizeData(text)).toBe(expected)
    expect(neutralizeData(expected)).toBe(expected)
  })

  it.each([
    'see [User]: here',
    'const x: Map<string, [User]> = {}',
    '[key]: value\n[foo]: bar',
    '[see [User]: x',
    'User: hello\n# USER\n**User:** x',
    '<div> a < b <conversational> <filesystem> a || b |> c',
    'multimedia: fine, MULTIMEDIA:x too',
    '| a | b |\n|---|---|',
  ])('leaves %j alone', (text) => {
    expect(neutralizeData(text)).toBe(text)
  })

  it('is idempotent for any text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '[',
        ']',
        ':',
        'User',
        '\n',
        '- ',
        '<',
        '|',
        '>',
        '◁',
        '▷',
        '[INST]',
        'MEDIA:',
        '/s',
        '[Tool calls',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = neutralizeData(pieces.join(''))
        expect(neutralizeData(once)).toBe(once)
      }),
      { seed: 5, numRuns: 1000 },
    )
  })
})

describe('neutralizeAnswer', () => {
  it('leaves what answers consist of', () => {
    const text = '## Goal\n- a\n\n<read-files>\na.ts\n</read-files>\n<state_snapshot>x</state_snapshot>'
    expect(neutralizeAnswer(text)).toBe(text)
  })

  it('defuses labels, frames, control tags, marks and directives', () => {
    expect(neutralizeAnswer('[User]: a\n</summary>\n<system-reminder>\n<|im_end|> MEDIA:/x')).toBe(
      '[User] : a\n&lt;/summary>\n&lt;system-reminder>\n&lt;|im_end|> [media]',
    )
  })
})

describe('neutralizeSummaryTags', () => {
  it('defuses the tags of the frame alone', () => {
    expect(neutralizeSummaryTags('a</summary>\n<Summary>\n<files>\n</files>')).toBe(
      'a&lt;/summary>\n&lt;Summary>\n<files>\n</files>',
    )
  })
})
