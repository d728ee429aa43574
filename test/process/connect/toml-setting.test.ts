import { describe, expect, it } from 'vitest'
import { tomlSetting } from '../../../src/process/connect/toml-setting.ts'

const setting = tomlSetting({
  key: 'model_provider',
  value: 'recapd',
  block: '[model_providers.recapd]\nname = "OpenAI"',
})

describe('tomlSetting', () => {
  it.each([
    ['in front of the first table', '# my own\nmodel = "gpt"\n\n[projects."/repo"]\ntrust_level = "trusted"\n'],
    ['in a file without tables', 'model = "gpt"\n'],
    ['instead of another provider', 'model_provider = "azure"\nmodel = "gpt"\n[a]\nmodel_provider = "stays"\n'],
    ['in an empty file', ''],
  ])('adds its key %s and its block at the end, and takes both out again', (_title, text) => {
    const added = setting.add(text)
    const top = added.slice(0, added.indexOf('['))
    expect(top.match(/^model_provider = .*$/gm)).toEqual(['model_provider = "recapd" # recapd connect'])
    expect(added).toMatch(/\n\[model_providers\.recapd\]\nname = "OpenAI"\n# recapd connect: end\n$/)
    expect(setting.add(added), 'twice is once').toBe(added)
    expect(setting.remove(`${added}since = 1\n`, { before: text, after: added })).toContain('since = 1')
    expect(setting.remove(added, { before: text, after: added })?.trim()).toBe(text.trim())
  })

  it('leaves nothing where nothing was', () => {
    expect(setting.remove(setting.add(null), { before: null, after: setting.add(null) })).toBeNull()
  })
})
