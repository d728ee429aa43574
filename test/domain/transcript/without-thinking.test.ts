import { expect, it } from 'vitest'
import { withoutThinking } from '../../../src/domain/transcript/without-thinking.ts'

const before = '<conversation>\n[User]: open the gate\n\n'
const behind = '[Assistant]: it is open\n\n[User]: go on\n</conversation>\n\nSum up.'

it('withoutThinking takes out what was thought and nothing else', () => {
  expect(withoutThinking(`${before}[Assistant thinking]: it may be stuck\nor not\n\n${behind}`)).toBe(before + behind)
})

it.each([`${before}${behind}`, 'No conversation at all.'])(
  'withoutThinking is null where nothing was thought: %s',
  (prompt) => {
    expect(withoutThinking(prompt)).toBeNull()
  },
)
