/** Whether the bytes contain any of the marks, also across the border of two pieces, which are not joined for this. */
export function piecesInclude(pieces: readonly Buffer[], marks: readonly Buffer[]): boolean {
  const overlap = Math.max(0, ...marks.map(({ length }) => length)) - 1
  const isIn = (bytes: Buffer) => marks.some((mark) => bytes.includes(mark))
  let tail: Buffer = Buffer.alloc(0)
  for (const piece of pieces) {
    if (isIn(piece)) return true
    if (tail.length > 0 && isIn(Buffer.concat([tail, piece.subarray(0, overlap)]))) return true
    tail = piece.length >= overlap ? piece.subarray(piece.length - overlap) : lastOf(tail, piece, overlap)
  }
  return false
}

const lastOf = (tail: Buffer, piece: Buffer, length: number): Buffer => {
  const both = Buffer.concat([tail, piece])
  return both.subarray(Math.max(0, both.length - length))
}
