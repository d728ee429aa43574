/**
 * JSON strings as they were spelled: UTF-8 bytes, quotes included. Bytes of a long one are handed on where its text would have to be made, kept and
 * spelled again.
 */
import { asBuffer } from './as-buffer.ts'

const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** The text of valid JSON. */
export const spelledText = (json: Uint8Array): string => JSON.parse(asBuffer(json).toString())

/** Its bytes without the quotes, to be put between others. */
export const spelling = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

/** Bytes in front of each of these UTF-16 units, which are in order. */
export function spelledPlaces(json: Uint8Array, units: readonly number[]): readonly number[] {
  let at = 1
  let unit = 0
  return units.map((wanted) => {
    while (unit < wanted && at < json.length) {
      const byte = json[at] ?? 0
      unit += byte >= 0xf0 ? 2 : 1
      at += byte === BACKSLASH ? escapeLength(json, at) : bytesOfLead(byte)
    }
    return at
  })
}

const escapeLength = (json: Uint8Array, at: number): number => (json[at + 1] === LETTER_U ? 6 : 2)

const bytesOfLead = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)
