import { describe, expect, it } from 'vitest'
import { HISTORICAL_IMAGE, stripHistoricalMedia, stripImages } from '../../../src/domain/dialects/images.ts'
import { image, rowsOf } from '../../support/chat-lists.ts'
import { vectors } from '../../support/chat-vectors.ts'

describe('stripImages', () => {
  it.each(vectors<{ readonly input: unknown; readonly output: unknown }>('image-strip'))(
    'makes $output of $input',
    ({ input, output }) => {
      expect(stripImages(input)).toEqual(output)
    },
  )

  it('keeps other parts by reference', () => {
    const text = { type: 'text', text: 'a' }
    expect(stripImages([text, image()])?.[0]).toBe(text)
  })
})

describe('stripHistoricalMedia', () => {
  it.each(vectors<{ readonly input_roles_with_image: string[]; readonly images_left_at: number[] }>('media-history'))(
    'leaves images at $images_left_at of $input_roles_with_image',
    ({ input_roles_with_image: roles, images_left_at: left }) => {
      const rows = rowsOf(
        roles.map((shape) => {
          const [role, what] = shape.split(':')
          return { role, content: what === 'img' ? [{ type: 'text', text: 'see' }, image()] : 'text' }
        }),
      )
      const out = stripHistoricalMedia(rows)
      expect(out.flatMap((row, at) => (JSON.stringify(row.message).includes('base64') ? [at] : []))).toEqual(left)
    },
  )

  it('gives the same list back when nothing has to go', () => {
    const rows = rowsOf([
      { role: 'user', content: [image()] },
      { role: 'user', content: 'x' },
    ])
    expect(stripHistoricalMedia(rows)).toBe(rows)
  })

  it('drops the exact-bytes copy of a rewritten row, keeps it elsewhere, and changes no text', () => {
    const rows = rowsOf([
      { role: 'user', content: [{ type: 'text', text: 'old' }, image()], api_content: 'bytes' },
      { role: 'user', content: [{ type: 'text', text: 'new' }, image()], api_content: 'bytes' },
    ])
    const [old, fresh] = stripHistoricalMedia(rows)
    expect(old?.message).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'old' },
        { type: 'text', text: HISTORICAL_IMAGE },
      ],
    })
    expect(fresh?.message).toBe(rows[1]?.message)
  })
})
