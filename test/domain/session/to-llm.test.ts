import { describe, expect, it } from 'vitest'
import { joinedText } from '../../../src/domain/session/content.ts'
import { toLlm } from '../../../src/domain/session/to-llm.ts'

const wrappers = {
  compactionSummary: (summary: string) => `earlier <summary>\n${summary}\n</summary>`,
  branchSummary: (summary: string) => `branch <summary>\n${summary}\n</summary>`,
}
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }

describe('toLlm', () => {
  it.each([
    ['a command', { role: 'bashExecution', command: 'make', output: 'ok', exitCode: 0 }, 'Ran `make`\n```\nok\n```'],
    ['a silent command', { role: 'bashExecution', command: 'true', output: '' }, 'Ran `true`\n(no output)'],
    [
      'a failed command',
      { role: 'bashExecution', command: 'make', output: 'no', exitCode: 2 },
      'Ran `make`\n```\nno\n```\n\nCommand exited with code 2',
    ],
    [
      'a cancelled command',
      { role: 'bashExecution', command: 'x', output: '', cancelled: true, exitCode: 1 },
      'Ran `x`\n(no output)\n\n(command cancelled)',
    ],
    [
      'a cut output',
      { role: 'bashExecution', command: 'x', output: 'a', truncated: true, fullOutputPath: '/l' },
      'Ran `x`\n```\na\n```\n\n[Output truncated. Full output: /l]',
    ],
    [
      'python',
      { role: 'pythonExecution', code: 'f()', output: 'E', exitCode: 1 },
      'Ran Python:\n```python\nf()\n```\nOutput:\n```\nE\n```\n\nExecution failed with code 1',
    ],
    ['a hook', { role: 'hookMessage', content: 'mind' }, 'mind'],
    [
      'a summary, never reformatted',
      { role: 'compactionSummary', summary: ' a  \n\n\n- b ' },
      'earlier <summary>\n a  \n\n\n- b \n</summary>',
    ],
    ['a branch summary', { role: 'branchSummary', summary: 's' }, 'branch <summary>\ns\n</summary>'],
    [
      'mentioned files',
      {
        role: 'fileMention',
        files: [
          { path: 'a.ts', content: 'x' },
          { path: 'b.ts', content: '' },
        ],
      },
      '<system-reminder>\n<file path="a.ts">\nx\n</file>\n\n<file path="b.ts">\n</file>\n</system-reminder>',
    ],
  ])('tells %s as the user', (_name, message, text) => {
    const [told] = toLlm([message], wrappers)
    expect(told?.role).toBe('user')
    expect(joinedText(told?.content)).toBe(text)
  })

  it('drops what is excluded and what it does not know', () => {
    expect(
      toLlm([{ role: 'bashExecution', command: 'x', excludeFromContext: true }, { role: 'oracle' }], wrappers),
    ).toEqual([])
  })

  it('passes user, developer, assistant and result messages on untouched', () => {
    const messages = ['user', 'developer', 'assistant', 'toolResult'].map((role) => ({ role, content: 'x' }))
    for (const [index, told] of toLlm(messages, wrappers).entries()) expect(told).toBe(messages[index])
  })

  it('sends a pruned result as its text alone', () => {
    const pruned = (content: readonly unknown[]) => ({
      role: 'toolResult',
      toolCallId: 'a',
      prunedAt: 1,
      content: [...content],
    })
    const told = toLlm([pruned([{ type: 'text', text: 'cut' }, image]), pruned([image])], wrappers)
    expect(told.map((message) => message.content)).toEqual([
      [{ type: 'text', text: 'cut' }],
      [{ type: 'text', text: '[Output truncated]' }],
    ])
  })

  it('keeps the images of custom messages and mentioned files', () => {
    const told = toLlm(
      [
        { role: 'custom', content: [image] },
        { role: 'fileMention', files: [{ path: 'i.png', image }] },
      ],
      wrappers,
    )
    expect(told[0]?.content).toEqual([image])
    expect(told[1]?.content).toContainEqual(image)
  })
})
