import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import { HOOK_NAMES } from '../../src/hooks/hook-results.ts'
import { noHooks } from '../../src/hooks/hooks.ts'
import { loadHooks } from '../../src/hooks/load-hooks.ts'
import { silentPipelineObserver } from '../../src/hooks/pipeline-observer.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'recapd-hooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

function load(source: string, extension = 'ts') {
  files += 1
  const file = path.join(folder, `hooks-${files}.${extension}`)
  writeFileSync(file, source)
  return loadHooks(file, silentPipelineObserver)
}

async function faultsOf(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => new Error('it was loaded'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof RecapdError)) throw error
  expect(error.code).toBe('invalid-request')
  return (error.extras.errors ?? []).map(({ message }) => message).join('; ')
}

const names = async (loading: ReturnType<typeof load>) => {
  const hooks = await loading
  return HOOK_NAMES.filter((name) => hooks.has(name))
}

describe('loadHooks', () => {
  it('has no hooks where no file is named', async () => {
    expect(await loadHooks(undefined, silentPipelineObserver)).toBe(noHooks)
  })

  it('reads functions by their names, also by the one with a dot', async () => {
    const source = `
      const compacting = () => ({ context: ['x'] })
      export function session_tree(event: { newLeafId: string }) { return event.newLeafId }
      export { compacting as 'session.compacting' }
      export const helper = 1`
    expect(await names(load(source))).toEqual(['session.compacting', 'session_tree'])
  })

  it.each([
    ['export const hooks = { session_compact() {} }', 'ts'],
    ['export default { session_compact() {} }', 'mjs'],
    ['module.exports = { session_compact() {} }', 'cjs'],
    ['export default new (class { session_compact() {} })()', 'js'],
  ])('reads one object of them: %s', async (source, extension) => {
    expect(await names(load(source, extension))).toEqual(['session_compact'])
  })

  it('calls them on the object they stand in', async () => {
    const hooks = await load(`export const hooks = {
      word: 'mine',
      session_before_tree() { return { summary: { summary: this.word } } },
    }`)
    const preparation = {
      targetId: 't',
      oldLeafId: null,
      commonAncestorId: null,
      entriesToSummarize: [],
      userWantsSummary: true,
    }
    const { result } = await hooks.run(
      { name: 'session_before_tree', event: { preparation } },
      new AbortController().signal,
    )
    expect(result).toEqual({ summary: { summary: 'mine' } })
  })

  it.each([
    ['export const session_tree = 1', 'its export session_tree is not a function'],
    ['export const sessionName = 1', 'it exports no hook (the hooks are session_before_compact, session.compacting, '],
    ['export function session_befor_compact() {}', 'its export session_befor_compact is not a hook'],
    ['export const hooks = { onSessionTree() {}, session_compact() {} }', 'onSessionTree is not a hook'],
    ['export default (pi) => {}', 'its export default is not an object of hooks'],
    ['throw new Error("no database")', 'it cannot be loaded: no database'],
    ['export const = 1', 'it cannot be loaded: '],
    ['import "./not-there.ts"', 'it cannot be loaded: '],
  ])('refuses %s', async (source, fault) => {
    expect(await faultsOf(load(source))).toContain(fault)
  })

  it('refuses a file that is not there', async () => {
    expect(await faultsOf(loadHooks(path.join(folder, 'nowhere.ts'), silentPipelineObserver))).toContain(
      'it cannot be loaded: ',
    )
  })

  it('says all faults at once', async () => {
    const faults = await faultsOf(load('export const session_tree = 1, session_after_tree = 2, hooks = 3'))
    expect(faults.split('; ')).toHaveLength(3)
  })
})
