import { describe, expect, it } from 'vitest'
import { readNdjson } from '../../src/requests/read-ndjson.ts'

describe('readNdjson', () => {
  it.each([
    ['with a newline at the end', '{"type":"a"}\n{"type":"b"}\n', []],
    ['without one', '{"type":"a"}\n{"type":"b"}', []],
    ['with carriage returns', '{"type":"a"}\r\n{"type":"b"}\r\n', []],
    ['behind a byte order mark', '\ufeff{"type":"a"}\n{"type":"b"}', []],
    ['around a blank line', '{"type":"a"}\n\n{"type":"b"}\n', ['skipped 1 blank line']],
    [
      'around a line cut by a crash',
      '{"type":"a"}\n{"type":"x","id":"br\n{"type":"b"}\n',
      ['skipped 1 malformed line'],
    ],
    [
      'around lines that are no objects',
      '{"type":"a"}\n3\n[]\n \n{"type":"b"}\n',
      ['skipped 2 malformed lines and 1 blank line'],
    ],
  ])('reads a file %s', (_name, text, warnings) => {
    expect(readNdjson(text)).toEqual({ rows: [{ type: 'a' }, { type: 'b' }], warnings })
  })

  it('reads an empty text as no rows', () => {
    expect(readNdjson('')).toEqual({ rows: [], warnings: [] })
  })
})
