import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readText } from './repository-files.ts'

interface Instruction {
  readonly keyword: string
  readonly rest: string
}

/** Instructions in order: comments dropped, continued lines joined. */
function instructionsOf(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const space = line.indexOf(' ')
      return { keyword: line.slice(0, space), rest: line.slice(space + 1).trim() }
    })
}

const all = instructionsOf(readText('Dockerfile'))
const lastFrom = all.findLastIndex(({ keyword }) => keyword === 'FROM')
const runtime = all.slice(lastFrom)
const restsOf = (keyword: string, from = runtime) =>
  from.filter((row) => row.keyword === keyword).map((row) => row.rest)

/** Sources of COPY that come from the build context rather than from another stage. */
const copied = restsOf('COPY', all)
  .filter((rest) => !rest.startsWith('--from='))
  .flatMap((rest) => rest.split(/\s+/).slice(0, -1))

const healthcheck = JSON.parse(/\bCMD (\[.*\])$/.exec(restsOf('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]') as string[]

async function healthOf(port: number): Promise<number> {
  const [, ...args] = healthcheck
  const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

describe('Dockerfile', () => {
  it('the image is built in stages from one replaceable, pinned base', () => {
    const base = restsOf('ARG', all)[0] ?? ''
    expect(base).toMatch(/^BASE=node:\d+-slim$/)
    expect(restsOf('FROM', all)).toEqual([`\${BASE} AS dependencies`, `\${BASE} AS runtime`])
  })

  it('the image installs exactly the locked packages, without development ones or install scripts', () => {
    const [install = ''] = restsOf('RUN', all)
    expect(install.split(' ')).toEqual(
      expect.arrayContaining(['npm', 'ci', '--omit=dev', '--omit=optional', '--ignore-scripts']),
    )
    expect(restsOf('RUN')).toEqual([])
  })

  it('the image runs as a numeric user that is not root, and starts Node directly', () => {
    expect(restsOf('USER')).toEqual(['65532:65532'])
    expect(JSON.parse(restsOf('CMD')[0] ?? '')).toEqual(['node', 'src/main.ts'])
    expect(restsOf('ENTRYPOINT')).toEqual([])
    expect(restsOf('EXPOSE')).toEqual(['8484'])
  })

  it('the image brings what the service reads at run time, and no secret', () => {
    expect(copied).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'openapi.yaml', 'prompts', 'src']),
    )
    expect([...restsOf('ENV', all), ...restsOf('ARG', all)].join(' ')).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD/)
    expect(restsOf('ADD', all)).toEqual([])
  })

  it('the image does not choose an open door: RECAPD_AUTH is left to whoever runs it', () => {
    expect(restsOf('ENV').join(' ')).not.toContain('RECAPD_AUTH')
  })

  it('the .dockerignore lets in only what is copied', () => {
    const lines = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines[0]).toBe('*')
    expect(new Set(lines.slice(1))).toEqual(new Set(copied.map((source) => `!${source}`)))
  })
})

describe('HEALTHCHECK', () => {
  it('the health check needs nothing but Node', () => {
    expect(healthcheck.slice(0, 2)).toEqual(['node', '-e'])
    expect(healthcheck.join(' ')).not.toMatch(/curl|wget/)
  })

  it('the health check asks /livez on PORT and exits by its status', async () => {
    const asked: (string | undefined)[] = []
    let status = 200
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await healthOf(port)).toBe(0)
    status = 503
    expect(await healthOf(port)).toBe(1)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    expect(await healthOf(port)).toBe(1)
    expect(asked).toEqual(['/livez', '/livez'])
  })
})
