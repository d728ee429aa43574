import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unwrapText } from '../../../src/domain/list/assemble/handoff.ts'
import { createSealer } from '../../../src/models/stores/sealer.ts'
import { compactionItems } from '../../../src/pipelines/items/compaction-items.ts'
import { openItems } from '../../../src/pipelines/items/open-items.ts'

const SUMMARY = '## Goal\n- port the login to jose 🦦'
const plain = compactionItems(undefined)
const sealed = compactionItems(createSealer(['a secret that is long enough']))

describe('compactionItems', () => {
  it('are readable by any replica where there is no secret', () => {
    expect(plain.open(plain.seal(SUMMARY))).toBe(SUMMARY)
    expect(compactionItems(undefined).open(plain.seal(SUMMARY))).toBe(SUMMARY)
  })

  it('are read by nobody without the secret', () => {
    const item = sealed.seal(SUMMARY)
    expect(sealed.open(item)).toBe(SUMMARY)
    expect(plain.open(item)).toBeNull()
    expect(compactionItems(createSealer(['another secret, as long'])).open(item)).toBeNull()
  })

  it('of a time before the secret are still opened', () => {
    expect(sealed.open(plain.seal(SUMMARY))).toBe(SUMMARY)
  })

  it.each([plain, sealed])('of a summary that says one thing over and over are opened as well', (items) => {
    const summary = '- read src/auth/jwt.ts\n'.repeat(2_000)
    expect(items.open(items.seal(summary))).toBe(summary)
  })

  it.each([
    ['somebody else’s', 'gAAAAABk-not-ours'],
    ['empty', 'recapd1.'],
    ['no base64url', 'recapd1.%%%'],
    ['not deflated', `recapd1.${Buffer.from('not deflated').toString('base64url')}`],
    ['blank', plain.seal(' \n')],
    ['a bomb', `recapd1.${deflateRawSync(Buffer.alloc(5_000_000, 97)).toString('base64url')}`],
    [
      'a small bomb, of which a body holds many',
      `recapd1.${deflateRawSync(Buffer.alloc(60_000, 97)).toString('base64url')}`,
    ],
  ])('are not opened where they are %s', (_name, encrypted) => {
    expect(plain.open(encrypted)).toBeNull()
  })
})

describe('openItems', () => {
  const foreign = { type: 'compaction', encrypted_content: 'gAAAAABk' }
  const said = { role: 'user', content: 'x' }

  it('gives back the same list where there is nothing of ours in it', () => {
    const rows = [said, foreign]
    expect(openItems(rows, plain)).toBe(rows)
  })

  it('puts a readable summary in the place of ours and leaves everything else as it came', () => {
    const opened = openItems([said, foreign, { type: 'compaction', encrypted_content: plain.seal(SUMMARY) }], plain)
    expect(opened.slice(0, 2)).toEqual([said, foreign])
    expect(opened[2]).toMatchObject({ type: 'message', role: 'user', content: [{ type: 'input_text' }] })
    const [part] = (opened[2] as { content: { text: string }[] }).content
    expect(unwrapText(part?.text ?? '')?.body).toBe(SUMMARY)
  })

  it('leaves what it cannot open', () => {
    const rows = [{ type: 'compaction', encrypted_content: 'recapd1.%%%' }]
    expect(openItems(rows, plain)).toEqual(rows)
  })
})
