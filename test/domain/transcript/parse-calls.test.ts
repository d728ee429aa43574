import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCalls } from '../../../src/domain/transcript/parse-calls.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const call = (name: string, args: object): string =>
  `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`

describe('parseCalls', () => {
  it('gives back what was written, whatever the strings hold', () => {
    const args = fc.record({
      path: fc.string(),
      text: fc.string({ unit: 'binary' }),
      n: fc.integer(),
      list: fc.array(fc.oneof(fc.string(), fc.boolean(), fc.constant(null))),
    })
    fc.assert(
      fc.property(args, args, (a, b) => {
        expect(parseCalls(`${call('read', a)}; ${call('mcp__x', b)}`)).toEqual([
          { name: 'read', args: a },
          { name: 'mcp__x', args: b },
        ])
      }),
      { seed: 7, numRuns: propertyRuns(500) },
    )
  })

  it('keeps what stands in front of a cut', () => {
    expect(parseCalls('edit(path="a.ts", edits=[{"old": "x", "new": "y')).toEqual([
      { name: 'edit', args: { path: 'a.ts', edits: [{ old: 'x', new: 'y' }] } },
    ])
  })

  it('reads one JSON object as the arguments', () => {
    expect(parseCalls('read({"path": "a.ts"})\nls({})')).toEqual([
      { name: 'read', args: { path: 'a.ts' } },
      { name: 'ls', args: {} },
    ])
  })

  it('goes on behind values that are no JSON', () => {
    const calls = parseCalls('a(x=undefined, y=<what>, z=1); b(k="v")')
    expect(calls.map((each) => each.name)).toEqual(['a', 'b'])
    expect(calls[1]?.args).toEqual({ k: 'v' })
  })

  it('takes a key like __proto__ for data', () => {
    const args = parseCalls('a(__proto__={"x": 1})')[0]?.args ?? {}
    expect(Object.keys(args)).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('x')
  })

  it('never throws and ends on anything', () => {
    const noise = fc.array(fc.constantFrom('a(', '"', '{', '[', '=', ',', ')', ';', ' ', '\n', 'k=', '\\', ':', 'x'), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(noise, (parts) => {
        for (const each of parseCalls(parts.join(''))) expect(each.name).not.toBe('')
      }),
      { seed: 8, numRuns: propertyRuns(700) },
    )
  })

  it.each(['a(', '[', '{"a":', '"\\"', 'x; ', 'a(b="c"'])(
    'does work in proportion to the text for %j again and again',
    (unit) => {
      const long = `bash(command=${unit.repeat(Math.ceil(1_000_000 / unit.length))}`
      expect(parseCalls(long).length).toBeGreaterThan(0)
    },
  )
})
