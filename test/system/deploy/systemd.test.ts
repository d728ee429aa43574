import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { readText, run, tool } from './repository-files.ts'

const text = readText('deploy/systemd/recapd.service')
const analyze = tool('systemd-analyze')

/** Every value of a setting; systemd lets one be given several times. */
const valuesOf = (name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))

describe('recapd.service', () => {
  it('recapd.service gives the drain its time and sends one signal', async () => {
    const { server } = await loadConfig({})
    expect(Number(valuesOf('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(server.drainDelayMs + server.drainMs)
    expect(valuesOf('KillMode')).toEqual(['mixed'])
  })

  it('recapd.service restarts after a crash but not after a faulty config', () => {
    expect(valuesOf('Restart')).toEqual(['on-failure'])
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['78'])
  })

  it('recapd.service runs without root, capabilities or a writable system', () => {
    expect(valuesOf('DynamicUser')).toEqual(['yes'])
    expect(valuesOf('CapabilityBoundingSet')).toEqual([''])
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes'])
    expect(valuesOf('ProtectSystem')).toEqual(['strict'])
  })

  it('recapd.service takes keys as a credential and lets V8 compile', () => {
    expect(valuesOf('LoadCredential')).toEqual(['api-keys:/etc/recapd/api-keys'])
    expect(valuesOf('Environment')).toContain('RECAPD_API_KEYS_FILE=%d/api-keys')
    expect(valuesOf('MemoryDenyWriteExecute')).toEqual([])
    expect(valuesOf('RestrictAddressFamilies')[0]?.split(' ')).toContain('AF_NETLINK')
  })

  it.skipIf(analyze.missing)(`systemd-analyze knows every setting of recapd.service${analyze.note}`, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'recapd-unit-'))
    const unit = path.join(folder, 'recapd.service')
    // The binary of an installed service is not here, so another stands in for it.
    writeFileSync(unit, text.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
    const result = run('systemd-analyze', ['verify', unit])
    rmSync(folder, { recursive: true })
    // Other units of the machine may have warnings of their own.
    expect(result.output.split('\n').filter((line) => line.includes('recapd'))).toEqual([])
    expect(result.status).toBe(0)
  })
})
