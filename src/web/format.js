const COUNT = new Intl.NumberFormat('en-US')
const NONE = '\u2013'

/**
 * @param {number | undefined} value
 * @returns {value is number}
 */
const isNumber = (value) => Number.isFinite(value)

/**
 * 12345 -> "12,345"; anything that is no number is shown as a dash.
 * @param {number | undefined} value
 */
export const count = (value) => (isNumber(value) ? COUNT.format(value) : NONE)

/**
 * "1 row", "2 rows".
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

/**
 * Milliseconds as a person reads them.
 * @param {number | undefined} ms
 */
export function duration(ms) {
  if (!isNumber(ms)) return NONE
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/**
 * Dollars; small sums keep two significant digits, since summaries cost fractions of a cent.
 * @param {number | undefined} value
 */
export function dollars(value) {
  if (!isNumber(value)) return NONE
  if (value === 0) return '$0'
  return value < 0.01 ? `$${Number(value.toPrecision(2))}` : `$${value.toFixed(value < 1 ? 3 : 2)}`
}

/**
 * Bytes of a file as a person reads them.
 * @param {number} value
 */
export function bytes(value) {
  if (value < 1024) return `${value} B`
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} KiB` : `${(value / 1024 / 1024).toFixed(1)} MiB`
}

/**
 * Change from one number to another in whole percent, with its sign.
 * @param {number | undefined} before
 * @param {number | undefined} after
 */
export function change(before, after) {
  if (!isNumber(before) || !isNumber(after) || before <= 0) return NONE
  const percent = Math.round(((after - before) / before) * 100)
  return percent > 0 ? `+${percent} %` : `${percent === 0 ? 0 : `\u2212${-percent}`} %`
}

/**
 * One line of at most `limit` characters.
 * @param {string} text
 */
export function snippet(text, limit = 160) {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}\u2026` : line
}
