// Installs what is missing: before `npm start` what running needs, with `--dev` the development packages too (unit tests, type
// check), with `--test` also the programs that system tests drive. Runs on the machine's own, maybe older, Node (>= 18), so
// it uses nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (...parts) => path.join(root, ...parts)
const withPrograms = process.argv.includes('--test')
const withDevelopment = withPrograms || process.argv.includes('--dev')

/** Programs that system tests drive: the command, its Debian package, and what is skipped without it. */
const PROGRAMS = [
  ['redis-server', 'redis-server', 'tests against a real Redis'],
  ['chromium', 'chromium', 'tests of the pages in a browser'],
  ['promtool', 'prometheus', 'tests of the alert rules'],
  ['openssl', 'openssl', 'tests of Redis over TLS'],
  ['nginx', 'nginx-light', 'nginx in deploy/proxies.md'],
  ['caddy', 'caddy', 'Caddy in deploy/proxies.md'],
  ['haproxy', 'haproxy', 'HAProxy in deploy/proxies.md'],
]

/** What makes a client of openapi.yaml: it wants another TypeScript than the project, so it has a folder of its own. */
const GENERATOR = inRoot('test', 'support', 'generated-client')

if (packagesAreMissing()) {
  const kind = withDevelopment ? ['--include=dev'] : ['--omit=dev']
  const args = ['ci', ...kind, '--include=optional', '--ignore-scripts', '--loglevel=error']
  console.error(`set-up: installing packages (npm ${args.slice(0, 2).join(' ')})`)
  if (!run('npm', args)) {
    console.error('set-up: npm ci failed; its own message above says why')
    process.exit(1)
  }
}
linkInstalledNode()
if (withPrograms) installGenerator()
if (withPrograms) installPrograms()
refuseOldNode()

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0
}

function has(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0
}

/** What npm wrote down after its last install lacks a package that is wanted now, or holds another version of one. */
function packagesAreMissing() {
  const installed = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(installed)) return true
  if (withDevelopment && !existsSync(inRoot('node_modules', '.bin', 'vitest'))) return true
  if (statSync(installed).mtimeMs >= statSync(inRoot('package-lock.json')).mtimeMs) return false
  const versions = new Map(rowsOf(installed).map(([name, { version }]) => [name, version]))
  return rowsOf(inRoot('package-lock.json')).some(
    ([name, row]) => isWanted(name, row) && versions.get(name) !== row.version,
  )
}

function rowsOf(lockFile) {
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
}

/** npm 10 installs the optional package that holds a Node, and makes no link to it in the folder that scripts look in first. */
function linkInstalledNode() {
  const name = `node-${process.platform}-${process.arch}`
  const link = inRoot('node_modules', '.bin', 'node')
  if (existsSync(link) || !existsSync(inRoot('node_modules', name, 'bin', 'node'))) return
  mkdirSync(path.dirname(link), { recursive: true })
  symlinkSync(path.join('..', name, 'bin', 'node'), link)
}

/** What follows is run by npm with the Node that was just installed, where there is one for this machine, else with its own. */
function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const [needed] = /\d.*/.exec(engines.node)
  const installed = inRoot('node_modules', '.bin', 'node')
  const isInstalled = existsSync(installed)
  const version = isInstalled ? spawnSync(installed, ['--version'], { encoding: 'utf8' }).stdout : process.version
  if (version && !isOlder(version, needed)) return
  const found = version ? `this is ${version.trim()}` : `${installed} does not start on this machine`
  console.error(`set-up: recapd needs Node ${needed} or newer, and ${found}`)
  process.exit(1)
}

function isOlder(version, needed) {
  const [major, minor] = version.trim().slice(1).split('.').map(Number)
  const [neededMajor, neededMinor = 0] = needed.split('.').map(Number)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}

/** Optional packages are for other kinds of machine; the entry without a name is the project itself. */
function isWanted(name, row) {
  return name !== '' && !row.optional && !row.devOptional && (withDevelopment || !row.dev)
}

function installGenerator() {
  if (!existsSync(GENERATOR) || existsSync(path.join(GENERATOR, 'node_modules', '.package-lock.json'))) return
  console.error('set-up: installing packages (npm ci in test/support/generated-client)')
  if (run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: GENERATOR })) return
  console.error('set-up: they cannot be installed; skipped: the test of a client made from openapi.yaml')
}

function installPrograms() {
  const missing = PROGRAMS.filter(([command]) => !has(command))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name)
  if (mayUseApt()) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] }
    console.error(`set-up: root in a container or in CI: installing ${packages.join(', ')} with apt-get`)
    run('apt-get', ['update', '-qq'], quiet)
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet)
  }
  for (const [command, name, purpose] of missing) {
    if (!has(command)) console.error(`set-up: ${command} is missing (Debian package ${name}); skipped: ${purpose}`)
  }
}

/** A person's own machine is theirs: packages of the system are only installed where it is thrown away afterwards. */
function mayUseApt() {
  const isRoot = process.getuid?.() === 0
  const { CI, KUBERNETES_SERVICE_HOST, container } = process.env
  const isThrownAway =
    [CI, KUBERNETES_SERVICE_HOST, container].some(
      (value) => value !== undefined && value !== '' && value !== 'false',
    ) || ['/.dockerenv', '/run/.containerenv'].some((mark) => existsSync(mark))
  return isRoot && isThrownAway && has('apt-get')
}
