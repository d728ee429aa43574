import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { redisFaults, withFilesIn } from '../../src/config/redis-faults.ts'
import { redisOptions } from '../../src/models/stores/redis-options.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'recapd-redis-faults-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(path.join(folder, 'words.pem'), 'These are only words.\n')
writeFileSync(path.join(folder, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')

const inFolder = (name: string) => path.resolve(folder, name)
const faultsOf = (section: object) =>
  redisFaults(withFilesIn(redisOptions.parse(section), inFolder)).map(({ path: at, message }) => `${at} ${message}`)

describe('redisFaults', () => {
  it.each<[string, object, readonly RegExp[]]>([
    ['no Redis', { tls: { ca: 'nobody.pem' } }, []],
    ['a database', { url: 'redis://h/3' }, []],
    ['a database of a cluster', { url: 'redis://h/3', cluster: true }, [/^redis\.url names database 3/]],
    ['database 0 of a cluster', { url: 'redis://h/0', cluster: true }, []],
    ['sentinels of a cluster', { url: 'redis://h', cluster: true, sentinels: { nodes: ['a'] } }, [/^redis\.sentinels/]],
    ['a file that is not there', { url: 'rediss://h', tls: { ca: 'nobody.pem' } }, [/^redis\.tls\.ca names .* read$/]],
    ['a file of words', { url: 'rediss://h', tls: { ca: 'words.pem' } }, [/^redis\.tls\.ca names .* no PEM$/]],
    ['a certificate alone', { url: 'rediss://h', tls: { cert: 'broken.pem' } }, [/^redis\.tls needs cert and key/]],
    ['what is no key', { url: 'rediss://h', tls: { cert: 'broken.pem', key: 'broken.pem' } }, [/^redis\.tls holds/]],
  ])('of %s', (_what, section, faults) => {
    const found = faultsOf(section)
    expect(found).toHaveLength(faults.length)
    for (const [i, fault] of faults.entries()) expect(found[i]).toMatch(fault)
  })
})
