import { describe, expect, it } from 'vitest'
import { yamlSetting } from '../../../src/process/connect/yaml-setting.ts'

const setting = yamlSetting(['compaction', 'remoteEndpoint'], 'http://here/summarize')
const undone = (text: string, before: string | null) => setting.remove(text, { before, after: setting.add(before) })

describe('yamlSetting', () => {
  it.each([
    ['beside other keys', '# mine\ncompaction:\n  enabled: true # on\ntheme: dark\n'],
    ['with no such section', '# mine\ntheme: dark\n'],
    ['with an empty section', 'compaction:\ntheme: dark\n'],
    ['in an empty file', ''],
  ])('adds its value %s and takes it out again', (_title, text) => {
    const added = setting.add(text)
    expect(added).toMatch(/compaction:[\s\S]*remoteEndpoint: http:\/\/here\/summarize/)
    for (const comment of text.match(/#.*/g) ?? []) expect(added).toContain(comment)
    expect(setting.add(added)).toBe(added)
    expect(undone(added, text)?.includes('remoteEndpoint')).toBe(false)
  })

  it('gives a replaced value back, and nothing where nothing was', () => {
    const before = 'compaction:\n  remoteEndpoint: http://old\n'
    expect(undone(`${setting.add(before)}since: 1\n`, before)).toBe(`${before}since: 1\n`)
    expect(undone(setting.add(null), null)).toBeNull()
  })

  it('leaves a value that is not its own', () => {
    const own = 'compaction:\n  remoteEndpoint: http://own\n'
    expect(setting.remove(own, null)).toBe(own)
    expect(undone(own, null)).toBe(own)
  })

  it.each(['- a\n', 'compaction: [1]\n', 'a: b: c\n', 'compaction: "x\n'])(
    'does not touch what it cannot understand: %j',
    (text) => {
      expect(() => setting.add(text)).toThrow(/^(it|its) /)
    },
  )
})
