import { describe, expect, it } from 'vitest'
import { autoFocus } from '../../../../src/domain/list/plan/focus.ts'
import { chat, image, rowsOf, says, user } from '../../../support/chat-lists.ts'

describe('autoFocus', () => {
  it('reads real turns only', () => {
    const rows = rowsOf([
      user('one\n\n  two'),
      user('<system-reminder>x</system-reminder>'),
      says('y'),
      user('three'),
      user([image()]),
    ])
    expect(autoFocus(rows)).toBe('one two | three')
    expect(autoFocus(rowsOf([says('x')]))).toBeNull()
  })

  it('is capped', () => {
    expect(autoFocus(rowsOf(chat(3).concat(user('z'.repeat(9000)))))?.length).toBeLessThanOrEqual(700)
  })
})
