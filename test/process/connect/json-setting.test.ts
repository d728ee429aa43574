import { describe, expect, it } from 'vitest'
import { jsonSetting } from '../../../src/process/connect/json-setting.ts'

const setting = jsonSetting({ 'env.URL': 'http://here', 'agent.compaction.model': 'recapd/auto' })
const OWN = '{\n    "model": "opus",\n    "env": {\n        "FOO": "1"\n    }\n}\n'

describe('jsonSetting', () => {
  it('adds its values beside what is there, in the indentation of the file', () => {
    const added = setting.add(OWN)
    expect(JSON.parse(added)).toEqual({
      model: 'opus',
      env: { FOO: '1', URL: 'http://here' },
      agent: { compaction: { model: 'recapd/auto' } },
    })
    expect(added).toContain('\n    "model"')
    expect(setting.add(added), 'twice is once').toBe(added)
  })

  it('takes them out again, keeps what was added since, and gives replaced values back', () => {
    const before = '{ "env": { "URL": "http://old" } }'
    const edited = setting.add(before).replace('{', '{ "since": true,')
    const undone = (text: string, first: string | null) =>
      setting.remove(text, { before: first, after: setting.add(first) })
    expect(JSON.parse(undone(edited, before) ?? '')).toEqual({ since: true, env: { URL: 'http://old' } })
    expect(undone(setting.add(OWN), OWN)).toBe(OWN)
    expect(undone(setting.add(null), null)).toBeNull()
  })

  it('leaves a file as it is where its values are there already, and values that are not its own', () => {
    const odd = '{"env":{"URL":  "http://here"}, "agent":{"compaction":{"model":"recapd/auto"}}}'
    expect(setting.add(odd)).toBe(odd)
    const own = '{"env":{"URL":  "http://own"}}'
    expect(setting.remove(own, null)).toBe(own)
    expect(setting.remove(own, { before: null, after: setting.add(null) })).toBe(own)
  })

  it.each(['{ "a": ', '[]', '"text"', '{ "env": [] }', '// comment\n{}'])(
    'does not touch what it cannot understand: %s',
    (text) => {
      expect(() => setting.add(text)).toThrow(/^(it|its) /)
    },
  )
})
