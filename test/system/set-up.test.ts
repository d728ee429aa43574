import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/set-up.mjs')
const LOCK = {
  packages: {
    '': { name: 'x' },
    'node_modules/run': { version: '2.0.0' },
    'node_modules/develop': { version: '1.0.0', dev: true },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  },
}
/** Both write down how they were called; npm also leaves what a real one leaves. */
const FAKE_NPM = `#!/bin/sh
echo "npm $*" >> calls
mkdir -p node_modules/.bin && cp package-lock.json node_modules/.package-lock.json
case "$*" in *include=dev*) : > node_modules/.bin/vitest;; esac
`
const FAKE_APT = '#!/bin/sh\necho "apt-get $*" >> calls\n'

let root = ''
const roots: string[] = []
afterAll(() => {
  for (const folder of roots) rmSync(folder, { recursive: true })
})
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'recapd-set-up-'))
  roots.push(root)
  for (const folder of ['scripts', 'bin']) mkdirSync(path.join(root, folder))
  copyFileSync(SCRIPT, path.join(root, 'scripts/set-up.mjs'))
  write('package-lock.json', JSON.stringify(LOCK))
  write('package.json', JSON.stringify({ engines: { node: '>=22.19' } }))
  program('npm', FAKE_NPM)
  for (const command of ['sh', 'mkdir', 'cp']) program(command, `#!/bin/sh\nexec /bin/${command} "$@"\n`)
})

const write = (name: string, text: string) => writeFileSync(path.join(root, name), text)
function program(name: string, text: string): void {
  write(`bin/${name}`, text)
  chmodSync(path.join(root, 'bin', name), 0o755)
}

/** The script on a machine that has only the programs of `bin`; the calls it made, and what it said. */
function setUp(...flags: string[]) {
  const env = { PATH: path.join(root, 'bin'), CI: 'true' }
  const options = { cwd: root, env, encoding: 'utf8' as const }
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/set-up.mjs'), ...flags], options)
  const calls = spawnSync('cat', ['calls'], { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  spawnSync('rm', ['-f', 'calls'], { cwd: root })
  return { status, stderr, calls }
}

/** As after an install that was for an older package-lock.json. */
function pretendOlder(change: (text: string) => string): void {
  const file = path.join(root, 'node_modules/.package-lock.json')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  utimesSync(file, 1, 1)
}

describe('packages', () => {
  it('installs no development package for a start, and nothing the second time', () => {
    expect(setUp()).toMatchObject({ status: 0, calls: [expect.stringContaining('npm ci --omit=dev')] })
    expect(setUp()).toMatchObject({ status: 0, calls: [], stderr: '' })
  })

  it('adds the development packages for tests, after a start and by themselves', () => {
    setUp()
    expect(setUp('--dev').calls).toEqual([expect.stringContaining('npm ci --include=dev')])
    expect(setUp('--dev').calls).toEqual([])
    expect(setUp().calls, 'a start leaves them where they are').toEqual([])
  })

  it('installs again when a package that is wanted has another version, and only then', () => {
    setUp()
    pretendOlder((text) => text.replace('"1.0.0","dev"', '"0.9.0","dev"'))
    expect(setUp().calls, 'a development package is not wanted').toEqual([])
    pretendOlder((text) => text.replace('2.0.0', '1.9.0'))
    expect(setUp().calls).toHaveLength(1)
  })

  it('says so and fails where npm fails', () => {
    program('npm', '#!/bin/sh\nexit 7\n')
    expect(setUp()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci failed') })
  })
})

describe('the Node that runs it', () => {
  it.each([
    ['v20.11.0', 'set-up: recapd needs Node 22.19 or newer, and this is v20.11.0'],
    ['v22.18.9', 'set-up: recapd needs Node 22.19 or newer, and this is v22.18.9'],
    ['v22.19.0', null],
    ['v24.0.1', null],
  ])('%s as it was installed: %s', (version, fault) => {
    program(
      'npm',
      `${FAKE_NPM}printf '#!/bin/sh\\necho ${version}\\n' > node_modules/.bin/node; /bin/chmod +x node_modules/.bin/node\n`,
    )
    const { status, stderr } = setUp()
    expect(status).toBe(fault === null ? 0 : 1)
    if (fault !== null) expect(stderr).toContain(fault)
  })

  it('is linked where npm installed it without a link', () => {
    const folder = `node_modules/node-${process.platform}-${process.arch}/bin`
    program('npm', `${FAKE_NPM}mkdir -p ${folder}; cp bin/new-node ${folder}/node; /bin/chmod +x ${folder}/node\n`)
    program('new-node', '#!/bin/sh\necho v24.1.0\n')
    expect(setUp()).toMatchObject({ status: 0, stderr: expect.not.stringContaining('needs Node') })
    expect(spawnSync(path.join(root, 'node_modules/.bin/node'), { encoding: 'utf8' }).stdout).toBe('v24.1.0\n')
  })

  it('says so where the one that was installed does not start', () => {
    program('npm', `${FAKE_NPM}: > node_modules/.bin/node\n`)
    expect(setUp()).toMatchObject({ status: 1, stderr: expect.stringContaining('does not start on this machine') })
  })
})

describe('programs', () => {
  it('names each that is missing and what that skips, where there is no apt', () => {
    const { status, stderr } = setUp('--test')
    expect(status).toBe(0)
    expect(stderr).toMatch(/redis-server is missing.*; skipped: tests against a real Redis/)
    expect(stderr).toMatch(/chromium is missing.*; skipped: tests of the pages in a browser/)
  })

  it('touches no system for a start or for unit tests', () => {
    program('apt-get', FAKE_APT)
    expect([...setUp().calls, ...setUp('--dev').calls].filter((call) => call.startsWith('apt-get'))).toEqual([])
  })

  it.skipIf(process.getuid?.() !== 0)('uses apt as root in CI, for what is missing, and says so first', () => {
    program('apt-get', FAKE_APT)
    program('chromium', '#!/bin/sh\n')
    const { calls, stderr } = setUp('--test')
    expect(calls.slice(1)).toEqual([
      'apt-get update -qq',
      expect.stringMatching(/^apt-get install .* redis-server prom/),
    ])
    expect(stderr.indexOf('with apt-get')).toBeLessThan(stderr.indexOf('is missing'))
  })
})
