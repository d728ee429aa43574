const COUNT = new Intl.NumberFormat('en-US')
const NONE = '\u2013'

/** 12345 -> "12,345"; anything that is no number is shown as a dash. */
export const count = (value) => (Number.isFinite(value) ? COUNT.format(value) : NONE)

/** "1 row", "2 rows". */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

/** Milliseconds as a person reads them. */
export function duration(ms) {
  if (!Number.isFinite(ms)) return NONE
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** Dollars; small sums keep four significant digits, since summaries cost fractions of a cent. */
export function dollars(value) {
  if (!Number.isFinite(value)) return NONE
  if (value === 0) return '$0'
  return value < 0.01 ? `$${Number(value.toPrecision(2))}` : `$${value.toFixed(value < 1 ? 3 : 2)}`
}

/** Bytes of a file as a person reads them. */
export function bytes(value) {
  if (value < 1024) return `${value} B`
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} KiB` : `${(value / 1024 / 1024).toFixed(1)} MiB`
}

/** Change from one number to another in whole percent, with its sign. */
export function change(before, after) {
  if (!(before > 0)) return NONE
  const percent = Math.round(((after - before) / before) * 100)
  return percent > 0 ? `+${percent} %` : `${percent === 0 ? 0 : `\u2212${-percent}`} %`
}

/** One line of at most `limit` characters. */
export function snippet(text, limit = 160) {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}\u2026` : line
}
