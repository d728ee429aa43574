import { describe, expect, it } from 'vitest'
import { readNdjson } from '../../src/requests/read-ndjson.ts'

describe('readNdjson', () => {
  it.each([
    ['with a newline at the end', '{"type":"a"}\n{"type":"b"}\n', 0],
    ['without one', '{"type":"a"}\n{"type":"b"}', 0],
    ['with carriage returns', '{"type":"a"}\r\n{"type":"b"}\r\n', 0],
    ['behind a byte order mark', '\ufeff{"type":"a"}\n{"type":"b"}', 0],
    ['around a blank line', '{"type":"a"}\n\n{"type":"b"}\n', 1],
    ['around a line cut by a crash', '{"type":"a"}\n{"type":"x","id":"br\n{"type":"b"}\n', 1],
    ['around lines that are no objects', '{"type":"a"}\n3\n[]\nnull\n{"type":"b"}\n', 3],
  ])('reads a file %s', (_name, text, skipped) => {
    const read = readNdjson(text)
    expect(read.rows).toEqual([{ type: 'a' }, { type: 'b' }])
    expect(read.skipped).toBe(skipped)
    expect(read.warnings).toHaveLength(skipped === 0 ? 0 : 1)
  })

  it('reads an empty text as no rows', () => {
    expect(readNdjson('')).toEqual({ rows: [], skipped: 0, warnings: [] })
  })
})
