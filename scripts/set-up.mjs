// Installs what is missing before `npm start` and `npm test`. Runs on the machine's own, maybe older, Node (>= 18), so it
// uses nothing but Node itself. `--test` also installs the Redis server and Chromium that some tests drive, where apt can.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const forTests = process.argv.includes('--test')
const inRoot = (...parts) => path.join(root, ...parts)

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0
}

function has(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0
}

/** The lock npm wrote after its last install is older than ours, or there is none: something is missing. */
function packagesAreMissing() {
  const installed = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(installed)) return true
  if (forTests && !existsSync(inRoot('node_modules', '.bin', 'vitest'))) return true
  return (
    statSync(installed).mtimeMs < statSync(inRoot('package-lock.json')).mtimeMs &&
    lockVersion(installed) !== lockVersion(inRoot('package-lock.json'))
  )
}

/** Names and versions a lock file holds, without the root entry, which npm's own copy leaves out. */
function lockVersion(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  return JSON.stringify(
    Object.entries(packages)
      .filter(([name, row]) => name !== '' && !row.optional)
      .map(([name, row]) => [name, row.version]),
  )
}

if (packagesAreMissing()) {
  console.error('set-up: installing packages (npm ci)')
  if (!run('npm', ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'])) {
    console.error('set-up: npm ci failed; its own message above says why')
    process.exit(1)
  }
}

if (forTests) {
  const wanted = [
    ['redis-server', 'redis-server', 'tests against a real Redis'],
    ['chromium', 'chromium', 'tests of the pages in a browser'],
  ].filter(([command]) => !has(command))
  const mayInstall = process.platform === 'linux' && has('apt-get') && process.getuid?.() === 0
  if (wanted.length > 0 && mayInstall) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] }
    console.error(`set-up: installing ${wanted.map(([, name]) => name).join(', ')} (apt)`)
    run('apt-get', ['update', '-qq'], quiet)
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted.map(([, name]) => name)], quiet)
  }
  for (const [command, name, purpose] of wanted) {
    if (!has(command)) console.error(`set-up: ${name} is missing and could not be installed; skipped: ${purpose}`)
  }
}
