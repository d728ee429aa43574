import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import { PROMPT_NAMES } from '../../src/domain/prompts/prompts-shape.ts'
import { askedHeadings } from '../../src/domain/text/headings.ts'
import { loadPrompts } from '../../src/prompts/load-prompts.ts'

const SHIPPED = join(import.meta.dirname, '..', '..', 'prompts')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prompts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function faultsOf(load: () => unknown): string[] {
  try {
    load()
  } catch (error) {
    if (!(error instanceof RecapdError)) throw error
    return (error.extras.errors ?? []).map((fault) => `${fault.path}: ${fault.message}`)
  }
  throw new Error('Cannot find a fault: the prompts were loaded')
}

describe('the shipped prompts', () => {
  const prompts = loadPrompts(SHIPPED)
  const titles = (name: (typeof PROMPT_NAMES)[number]): string[] =>
    askedHeadings(prompts[name]).map((heading) => heading.line)

  test('load whole and frozen', () => {
    expect(Object.keys(prompts).sort()).toEqual([...PROMPT_NAMES].sort())
    expect(Object.isFrozen(prompts)).toBe(true)
  })

  test('the history prompts ask for the sections of docs/spec/sessions.md §10, first and updated alike', () => {
    const wanted = [
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '### Done',
      '### In Progress',
      '### Blocked',
      '## Key Decisions',
      '## Next Steps',
      '## Critical Context',
      '## Additional Notes',
    ]
    expect(titles('compaction-summary')).toEqual(wanted)
    expect(titles('compaction-update-summary')).toEqual(wanted)
    expect(titles('branch-summary')).toEqual(wanted.slice(0, 8))
  })

  test('the turn prefix has its three sections, the short summary none', () => {
    expect(titles('compaction-turn-prefix')).toEqual([
      '## Original Request',
      '## Early Progress',
      '## Context for Suffix',
    ])
    expect(titles('compaction-short-summary')).toEqual([])
    expect(prompts['compaction-short-summary']).not.toMatch(/key decisions/i)
  })

  test('list prompts name unfinished work as history: "Next Steps" gets executed', () => {
    expect(titles('list-summary')).toEqual(titles('list-update-summary'))
    expect(titles('list-summary')).toContain('## Key Decisions')
    expect(titles('list-summary').filter((line) => /historical/i.test(line))).toHaveLength(4)
    expect(titles('list-summary').join()).not.toMatch(/next steps|## in progress|active task/i)
  })

  test('the system prompt guards against what stands in the transcript', () => {
    for (const rule of [
      /untrusted data/i,
      /do not continue/i,
      /language of the user/i,
      /headings exactly/i,
      /nothing else/i,
      /\[REDACTED\]/,
    ])
      expect(prompts['summarization-system']).toMatch(rule)
  })

  test('the preamble ends with a blank line, the aggregate with the candidates', () => {
    expect(prompts['branch-summary-preamble']).toMatch(/[^\n]\n\n$/)
    expect(prompts['moa-aggregate']).toMatch(/\{\{candidates\}\}$/)
  })

  test('no prompt holds a tag that would end or begin a data block', () => {
    for (const name of PROMPT_NAMES)
      expect(prompts[name]).not.toMatch(/<\/?(?:conversation|previous-summary|additional-context)>/)
  })
})

describe('loadPrompts', () => {
  test('takes single files from the override directory', () => {
    writeFileSync(join(folder, 'brevity.md'), '\uFEFFBe\r\nbrief.\r\n')
    writeFileSync(join(folder, 'branch-summary-preamble.md'), 'Elsewhere:')
    writeFileSync(join(folder, 'README.txt'), 'not a prompt')
    const prompts = loadPrompts(SHIPPED, folder)
    expect(prompts.brevity).toBe('Be\nbrief.')
    expect(prompts['branch-summary-preamble']).toBe('Elsewhere:\n\n')
    expect(prompts.reminder).toBe(loadPrompts(SHIPPED).reminder)
  })

  test('tells every fault at once', () => {
    const base = join(folder, 'base')
    const own = join(folder, 'own')
    cpSync(SHIPPED, base, { recursive: true })
    rmSync(join(base, 'reminder.md'))
    mkdirSync(own)
    writeFileSync(join(own, 'fold-part.md'), 'Part {{part}} of {{total}}')
    writeFileSync(join(own, 'brevity.md'), '  \n')
    writeFileSync(join(own, 'compaction-sumary.md'), 'misspelt')
    expect(faultsOf(() => loadPrompts(base, own)).sort()).toEqual([
      'brevity.md: file is empty',
      expect.stringMatching(/^compaction-sumary\.md: no prompt has this name/),
      'fold-part.md: slot {{parts}} is missing',
      'fold-part.md: slot {{total}} is unknown; known: {{part}}, {{parts}}',
      'reminder.md: file is missing',
    ])
  })

  test('a directory that is not there is a fault with its path', () => {
    expect(faultsOf(() => loadPrompts(SHIPPED, join(folder, 'nowhere')))).toEqual([
      `${join(folder, 'nowhere')}: cannot be read (ENOENT)`,
    ])
  })
})
