/** UTF-16 units of a piece of text, up to `NO_UNIT`. */
export type Units = Uint16Array

/** The longest piece. */
export const MOST_UNITS = 32 * 1024
/** Behind the last unit: nobody knows what follows. No character is encoded so. */
export const NO_UNIT = 0xffff

const BETWEEN = 0x0a
/** What is read in groups may be read so far behind the end. */
const MORE = 4
const bytes = Buffer.alloc(2 * (MOST_UNITS + MORE))
/** The units of what `fillUnits` was given last. */
export const UNITS: Units = new Uint16Array(bytes.buffer, bytes.byteOffset, MOST_UNITS + MORE)

/** A machine that stores the high byte first. */
const SWAPS = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0

/**
 * Fills `UNITS` with texts, a line end between them, at most `MOST_UNITS` together; returns how many they are. Copied out, since
 * to read a string unit by unit takes twice as long. `Buffer` is a global of the runtime and deterministic.
 */
export function fillUnits(texts: readonly string[]): number {
  let length = 0
  for (const [at, text] of texts.entries()) {
    // Behind an empty text, too: a unit's place tells its text.
    if (at > 0) {
      UNITS[length] = BETWEEN
      length += 1
    }
    bytes.write(text, 2 * length, 'utf16le')
    if (SWAPS) bytes.subarray(2 * length, 2 * (length + text.length)).swap16()
    length += text.length
  }
  UNITS.fill(NO_UNIT, length, length + MORE)
  return length
}
