import { describe, expect, it } from 'vitest'
import { mediumPart } from '../../../src/domain/dialects/media.ts'
import { opaquePart } from '../../../src/domain/dialects/opaque.ts'
import { readableText } from '../../../src/domain/dialects/readable-text.ts'

const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64')
const part = (media: 'image' | 'document' | 'audio' | 'video', mediaType: string, data: unknown) =>
  mediumPart({ media, mediaType, data, from: data })

describe('mediumPart', () => {
  it.each([
    ['an image, whatever its bytes', 'image', 'image/png', base64(900_000), 1600],
    ['a small document', 'document', 'application/pdf', base64(9), 1600],
    ['a document by its decoded bytes', 'document', 'application/pdf', base64(675_000), 33_750],
    ['the same in a data URL', 'document', '', `data:application/pdf;base64,${base64(675_000)}`, 33_750],
    ['audio by its decoded bytes', 'audio', 'audio/wav', base64(1_000_000), 2000],
    ['bytes that JSON wrote as a list', 'document', 'application/pdf', Array.from({ length: 64_000 }, () => 1), 3200],
    ['an address', 'document', 'application/pdf', 'https://example.org/a.pdf', 1600],
    ['an image that came as a document', 'document', 'image/png', base64(900_000), 1600],
  ] as const)('weighs %s', (_name, media, mediaType, data, tokens) => {
    expect(part(media, mediaType, data)).toMatchObject({ type: 'media', quarters: 4 * tokens })
  })

  it('tells a text document by its text', () => {
    const data = Buffer.from('Clause 1: ninety days').toString('base64')
    const read = mediumPart({ media: 'document', mediaType: 'text/plain', name: 'lease.txt', data, from: data })
    expect(read).toMatchObject({ type: 'text', text: '[document lease.txt]\nClause 1: ninety days' })
  })

  it('is named by its file or its address, never by its data', () => {
    expect(part('image', 'image/png', 'https://example.org/a.png')).toMatchObject({ name: 'https://example.org/a.png' })
    expect(part('image', 'image/png', base64(90))).toMatchObject({ name: '' })
  })
})

describe('opaquePart', () => {
  it('is told by its readable strings, weighed by its bytes, and says where a call may hide in it', () => {
    const sticker = { type: 'sticker', label: 'harbour crane', blob: 'x'.repeat(900), note: { text: 'two hooks' } }
    const read = opaquePart(sticker, sticker.type)
    expect([read.name, read.text, read.claimsCall]).toEqual(['sticker', 'harbour crane, two hooks', false])
    expect(read.quarters).toBe(Buffer.byteLength(JSON.stringify(sticker)))
    expect(opaquePart({ odd: { toolUseId: 't' } }, 'odd').claimsCall).toBe(true)
    expect(opaquePart({ text: 'long words '.repeat(200) }, 'x').text.length).toBeLessThanOrEqual(500)
  })
})

describe('readableText', () => {
  it('leaves out ids, seals, bytes and long strings without white space', () => {
    const found = [
      { type: 'web_search_result', title: 'Crane limits', url: 'https://a.b', encrypted_content: 'Z'.repeat(50) },
    ]
    expect(readableText(found)).toBe('Crane limits\nhttps://a.b')
    expect(readableText({ data: 'QUJD', id: 'x', out: 'a'.repeat(201) })).toBe('')
  })
})
