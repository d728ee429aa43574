import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const fences = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map((match) => ({
  language: match[1] ?? '',
  text: match[2] ?? '',
}))

/** Each curl line of the README with the answer it shows. */
const shown = fences.flatMap(({ text }, index) => {
  const next = fences[index + 1]
  return text.includes('curl ') && next?.language === 'json'
    ? [{ command: text, answer: JSON.parse(next.text) as unknown }]
    : []
})

describe('the commands of the README', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({})
  })
  afterAll(() => service.stop())

  it.each(shown.map((row) => [row.command.split('\n')[0] ?? '', row] as const))(
    '%s answers as shown',
    (_title, { command, answer }) => {
      const here = command.replaceAll('localhost:8484', service.url.replace('http://', ''))
      const { stdout, stderr } = spawnSync('bash', ['-c', here], { cwd: root, encoding: 'utf8' })
      expect(stderr).toBe('')
      expectShown(JSON.parse(stdout), answer, '')
    },
  )

  it('shows at least three of them', () => {
    expect(shown.length).toBeGreaterThanOrEqual(3)
  })
})

/** The answer may hold more; what the README shows must be there. A text that ends in … shows its beginning. */
function expectShown(actual: unknown, wanted: unknown, at: string): void {
  if (typeof wanted === 'string' && wanted.endsWith('…')) {
    expect(String(actual).startsWith(wanted.slice(0, -1)), at).toBe(true)
  } else if (Array.isArray(wanted)) {
    expect(Array.isArray(actual) && actual.length === wanted.length, at).toBe(true)
    wanted.forEach((item, index) => {
      expectShown((actual as unknown[])[index], item, `${at}/${index}`)
    })
  } else if (typeof wanted === 'object' && wanted !== null) {
    for (const [key, value] of Object.entries(wanted))
      expectShown((actual as Record<string, unknown> | undefined)?.[key], value, `${at}/${key}`)
  } else {
    expect(actual, at).toEqual(wanted)
  }
}
