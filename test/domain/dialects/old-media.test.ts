import { describe, expect, it } from 'vitest'
import { CODECS } from '../../../src/domain/dialects/codecs.ts'
import { HISTORICAL_IMAGE, stripOldMedia, withoutMedia } from '../../../src/domain/dialects/old-media.ts'
import { image, rowsOf } from '../../support/chat-lists.ts'
import { vectors } from '../../support/chat-vectors.ts'

const raise = (): never => {
  throw new Error('no row')
}
const read = (content: unknown) => rowsOf([{ role: 'user', content }])[0]?.message.content
const plain = (parts: ReturnType<typeof withoutMedia>) =>
  parts?.map((part) =>
    typeof part.from === 'string' ? part.from : { type: part.type, text: 'text' in part ? part.text : '' },
  ) ?? null

describe('withoutMedia', () => {
  it.each(vectors<{ readonly input: unknown; readonly output: unknown }>('image-strip'))(
    'makes $output of $input',
    ({ input, output }) => {
      expect(plain(withoutMedia(read(input)))).toEqual(output)
    },
  )
})

describe('stripOldMedia', () => {
  it.each(vectors<{ readonly input_roles_with_image: string[]; readonly images_left_at: number[] }>('media-history'))(
    'leaves images at $images_left_at of $input_roles_with_image',
    ({ input_roles_with_image: roles, images_left_at: left }) => {
      const rows = rowsOf(
        roles.map((shape) => {
          const [role, what] = shape.split(':')
          return { role, content: what === 'img' ? [{ type: 'text', text: 'see' }, image()] : 'text' }
        }),
      )
      const out = stripOldMedia(rows)
      expect(out.flatMap((row, at) => (JSON.stringify(row.message.content).includes('media') ? [at] : []))).toEqual(
        left,
      )
    },
  )

  it('gives the same list back when nothing has to go', () => {
    const rows = rowsOf([
      { role: 'user', content: [image()] },
      { role: 'user', content: 'x' },
    ])
    expect(stripOldMedia(rows)).toBe(rows)
  })

  it('drops the exact-bytes copy of a rewritten row, keeps it elsewhere, and changes no text', () => {
    const rows = rowsOf([
      { role: 'user', content: [{ type: 'text', text: 'old' }, image()], api_content: 'bytes' },
      { role: 'user', content: [{ type: 'text', text: 'new' }, image()], api_content: 'bytes' },
    ])
    const [old, fresh] = stripOldMedia(rows)
    expect(old?.message).not.toHaveProperty('api_content')
    expect(CODECS.openai.write([old ?? raise()], [])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'old' },
          { type: 'text', text: HISTORICAL_IMAGE },
        ],
      },
    ])
    expect(fresh?.message).toBe(rows[1]?.message)
  })
})
