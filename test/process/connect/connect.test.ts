import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyChange, connecting, disconnecting } from '../../../src/process/connect/connect.ts'
import { fileSetting } from '../../../src/process/connect/file-setting.ts'
import { jsonSetting } from '../../../src/process/connect/json-setting.ts'
import { SettingError } from '../../../src/process/connect/setting.ts'

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
const connect = (url: string) => applyChange('x', connecting('x', to(url)), false)
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

  it('undone twice, or never done, leave what is somebody’s own', () => {
    mkdirSync(path.dirname(file()))
    writeFileSync(file(), '{"url": "http://own"}')
    undo()
    expect(readFileSync(file(), 'utf8')).toBe('{"url": "http://own"}')
    connect('http://a')
    undo()
    undo()
    expect(readFileSync(file(), 'utf8')).toBe('{"url": "http://own"}')
  })

  it('keep a value that somebody replaced in between', () => {
    connect('http://a')
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('http://a', 'http://theirs'))
    undo()
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ url: 'http://theirs' })
  })

  it('replace a file of ours by one with another address, and no other file', () => {
    const script = (url: string) => ({ file: file(), setting: fileSetting(`open("${url}")\n`) })
    applyChange('y', connecting('y', script('http://a')), false)
    applyChange('y', connecting('y', script('http://b')), false)
    expect(readFileSync(file(), 'utf8')).toContain('http://b')
    applyChange('y', disconnecting('y', script('http://a')), true)
    expect(existsSync(file())).toBe(false)
    writeFileSync(file(), 'mine\n')
    expect(() => connecting('y', script('http://a'))).toThrow(SettingError)
  })

  it('have nothing to undo where nothing is', () => {
    expect(disconnecting('x', to('http://a'))).toMatchObject({ before: null, after: null })
  })
})
