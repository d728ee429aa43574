import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyChange, connecting, disconnecting } from '../../../src/process/connect/connect.ts'
import { jsonSetting } from '../../../src/process/connect/json-setting.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'recapd-connect-'))
  vi.stubEnv('XDG_STATE_HOME', path.join(folder, 'state'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
const file = () => path.join(folder, 'deep/settings.json')
const to = (url: string) => ({ file: file(), setting: jsonSetting({ url }) })
const connect = (url: string) => applyChange('x', connecting(file(), to(url).setting), false)
const undo = (url = 'http://a') => applyChange('x', disconnecting('x', to(url)), true)

describe('connect and undo', () => {
  it('give a file back byte for byte, also after a second address', () => {
    connect('http://seed')
    const odd = '{"b":1,\n\n"a":   2}'
    writeFileSync(file(), odd)
    connect('http://a')
    connect('http://b')
    expect(readFileSync(file(), 'utf8')).toContain('http://b')
    undo('http://b')
    expect(readFileSync(file(), 'utf8')).toBe(odd)
  })

  it('leave nothing behind where nothing was', () => {
    connect('http://a')
    expect(existsSync(file())).toBe(true)
    undo()
    expect(existsSync(file())).toBe(false)
  })

  it('keep what somebody wrote in between', () => {
    connect('http://a')
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('{', '{ "mine": 1,'))
    undo()
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ mine: 1 })
  })

  it('have nothing to undo where nothing is', () => {
    expect(disconnecting('x', to('http://a'))).toMatchObject({ before: null, after: null })
  })
})
