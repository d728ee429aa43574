const WORDS =
  'the of queue worker retry file test failed because request client provider token budget message index session branch summary compact tool call result error timeout value config schema parse stream buffer user wants change function returns await import export interface response header status limit pool key model fallback'.split(
    ' ',
  )
const SNIPPETS = [
  'const res = await fetch("https://example.test/v1/items", { method: "POST" });\n',
  'if (error instanceof TimeoutError && attempt < 3) {\n\treturn retry(attempt + 1);\n}\n',
  '  "path": "src/lib/queue.ts",\n  "line": 142,\n',
  "Error: ENOENT: no such file or directory, open 'src/app/config.json'\n    at Object.open (node:fs:601:3)\n",
  '// größere Änderung, naïve café ✓ 日本語テスト\n',
]

/** Text like a coding agent's transcript: prose, code, quotes, newlines, a few wide characters. The same for the same size. */
export function agentText(bytes: number): string {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const pieces: string[] = []
  for (let length = 0; length < bytes; ) {
    const kind = random()
    const piece = kind < 0.12 ? pick(SNIPPETS) : kind < 0.2 ? '\n' : `${pick(WORDS)}${random() < 0.08 ? '. ' : ' '}`
    pieces.push(piece)
    length += Buffer.byteLength(piece)
  }
  return pieces.join('')
}
