import { describe, expect, it } from 'vitest'
import { askedSections } from '../../../../src/domain/extractive/asked-headings.ts'
import { sectionKind } from '../../../../src/domain/ledger/previous/section-kind.ts'

describe('sectionKind', () => {
  it.each([
    ['Goal', 'goal'],
    ['Current outcome', 'goal'],
    ['Historical Task Snapshot', 'task'],
    ['Original Request', 'task'],
    ['Constraints & Preferences', 'constraints'],
    ['Owner constraints', 'constraints'],
    ['Completed Actions', 'done'],
    ['Early Progress', 'done'],
    ['In Progress', 'in-progress'],
    ['Historical In-Progress', 'in-progress'],
    ['Blocked', 'blocked'],
    ['Errors', 'blocked'],
    ['Errors and fixes', 'critical'],
    ['Problem Solving', 'critical'],
    ['Current progress and key decisions', 'done'],
    ['Key Decisions', 'decisions'],
    ['Next Steps', 'next-steps'],
    ['Next action', 'next-steps'],
    ['Historical Remaining Work', 'next-steps'],
    ['Critical Context', 'critical'],
    ['Context for Suffix', 'critical'],
    ['Verified evidence', 'critical'],
    ['Additional Notes', 'critical'],
    ['Active State', 'state'],
    ['Relevant Files', 'files'],
    ['Resolved Questions', 'resolved'],
    ['Historical Pending Asks', 'pending'],
    ['Objetivo', 'goal'],
    ['Restricciones y preferencias', 'constraints'],
    ['Próximos pasos', 'next-steps'],
    ['Decisiones clave', 'decisions'],
    ['Contexto crítico', 'critical'],
    ['Archivos relevantes', 'files'],
    ['Nächste Schritte', 'next-steps'],
    ['Contraintes', 'constraints'],
    ['关键决策', 'decisions'],
    ['次のステップ', 'next-steps'],
    ['Следующие шаги', 'next-steps'],
    ['Weather', 'other'],
    ['Tool request', 'other'],
    ['Function results', 'other'],
    ['Motherboards', 'other'],
  ])('of %j is %s', (title, kind) => {
    expect(sectionKind(title)).toBe(kind)
  })
})

describe('askedSections', () => {
  it('gives them in order, with the marks of their template and which ones are parents', () => {
    const asked = askedSections(
      '# A\n## Progress\n### Done\n- [x] x\n### Blocked\n- [x]\n## Next Steps\n1. x\nno heading #here\n#tag',
    )
    expect(asked.map(({ line, style, isParent }) => [line, style, isParent])).toEqual([
      ['# A', 'bullet', true],
      ['## Progress', 'bullet', true],
      ['### Done', 'checked', false],
      ['### Blocked', 'bullet', false],
      ['## Next Steps', 'numbered', false],
    ])
  })
})
