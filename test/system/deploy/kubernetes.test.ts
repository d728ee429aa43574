import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../src/config/load-config.ts'
import { type Resource, workloadFaults } from './kubernetes-policy.ts'
import { redisFaults } from './redis-policy.ts'
import { readText, readYaml, run, tool, yamlDocuments } from './repository-files.ts'

const kubectl = tool('kubectl')
const BASE = 'deploy/k8s/base'
const PROD = 'deploy/k8s/overlays/prod'
const rendered = new Map(kubectl.missing ? [] : [BASE, PROD].map((folder) => [folder, render(folder)] as const))
const folder = mkdtempSync(path.join(tmpdir(), 'recapd-k8s-'))
afterAll(() => rmSync(folder, { recursive: true }))

function render(from: string): Resource[] {
  const { status, output } = run('kubectl', ['kustomize', from])
  if (status !== 0) throw new Error(output)
  return yamlDocuments<Resource>(output)
}

function find(resources: readonly Resource[], kind: string, name = 'recapd'): Resource {
  const named = resources.filter((row) => row.kind === kind && row.metadata.name.startsWith(name))
  // A generated ConfigMap ends in a hash, so the exact name is only the first choice.
  const found = named.find((row) => row.metadata.name === name) ?? named[0]
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  return found
}

const prod = (kind: string, name?: string) => find(rendered.get(PROD) ?? [], kind, name)

/** Loads a ConfigMap's file as the pod would, with the mounted key files at a place this test can write. */
async function loadMounted(text: string) {
  const keys = path.join(folder, 'keys')
  writeFileSync(keys, 'ci:0123456789abcdef0123456789abcdef\n')
  const file = path.join(folder, 'recapd.yaml')
  writeFileSync(file, text.replaceAll(/\/run\/secrets\/recapd\/\S+/g, keys))
  const secret = { REDIS_URL: 'redis://recapd-redis:6379', JOBS_SECRET_FILE: keys }
  return loadConfig({ HOST: '0.0.0.0', RECAPD_CONFIG: file, RECAPD_API_KEYS_FILE: keys, ...secret })
}

describe('workloadFaults', () => {
  const deployment = () => readYaml<Resource>(BASE, 'deployment.yaml')
  const container = (resource: Resource): object => resource.spec?.template?.spec.containers[0] ?? {}

  const pod = (resource: Resource): object => resource.spec?.template?.spec ?? {}
  const user = (resource: Resource): object => resource.spec?.template?.spec.securityContext ?? {}

  it.each([
    ['may run as root', (row: Resource) => Object.assign(user(row), { runAsUser: 0 })],
    [
      'is killed before it has drained',
      (row: Resource) => Object.assign(pod(row), { terminationGracePeriodSeconds: 30 }),
    ],
    [
      'gets RECAPD_* variables from service links',
      (row: Resource) => Reflect.deleteProperty(pod(row), 'enableServiceLinks'),
    ],
    [
      'is throttled by a CPU limit',
      (row: Resource) => Object.assign(container(row), { resources: { limits: { cpu: '1' } } }),
    ],
    ['lacks a probe', (row: Resource) => Reflect.deleteProperty(container(row), 'readinessProbe')],
    ['floats on an unpinned image', (row: Resource) => Object.assign(container(row), { image: 'recapd:latest' })],
  ])('workloadFaults reports a deployment that %s', (fault, damage) => {
    const resource = deployment()
    damage(resource)
    expect(workloadFaults(resource, { minimumGraceMs: 180_000 })).toContain(`recapd ${fault}`)
  })
})

describe('the manifests as they lie', () => {
  it('the base deployment obeys the policy', async () => {
    const { server } = await loadMounted(readText(BASE, 'recapd.yaml'))
    const options = { minimumGraceMs: server.drainDelayMs + server.drainMs }
    expect(workloadFaults(readYaml<Resource>(BASE, 'deployment.yaml'), options)).toEqual([])
  })

  it('the Redis of the component obeys the policy, and keeps jobs: on a disk, before it answers, whatever room it has', () => {
    const resources = yamlDocuments<Resource>(readText('deploy/k8s/components/redis/redis.yaml'))
    const redis = find(resources, 'StatefulSet')
    expect(workloadFaults(redis, { minimumGraceMs: 0 })).toEqual([])
    expect(redisFaults(redis.spec?.template?.spec.containers[0]?.args ?? [])).toEqual([])
    expect(redis.spec?.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(['data'])
  })

  it.each([
    [BASE, ['recapd/extractive']],
    [PROD, ['openai/gpt-5-mini']],
  ])('the service accepts the config of %s', async (from, candidates) => {
    const config = await loadMounted(readText(from, 'recapd.yaml'))
    expect(config.candidates).toEqual(candidates)
    expect(config.server.adminPort).toBe(9464)
  })
})

describe('the manifests as kustomize renders them', () => {
  it.skipIf(kubectl.missing).each([BASE, PROD])(
    `%s renders, and every workload obeys the policy${kubectl.note}`,
    (from) => {
      const workloads = (rendered.get(from) ?? []).filter((row) => ['Deployment', 'StatefulSet'].includes(row.kind))
      expect(workloads.length).toBeGreaterThan(0)
      for (const row of workloads) {
        const minimumGraceMs = row.metadata.name === 'recapd' ? 180_000 : 0
        expect(workloadFaults(row, { minimumGraceMs })).toEqual([])
      }
    },
  )

  it.skipIf(kubectl.missing)(`prod leaves the number of replicas to the autoscaler${kubectl.note}`, () => {
    const autoscaler = prod('HorizontalPodAutoscaler')
    expect(prod('Deployment').spec).not.toHaveProperty('replicas')
    expect(autoscaler.spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'recapd' },
      metrics: [
        { pods: { metric: { name: 'recapd_inflight_requests' }, target: { averageValue: '8' } } },
        { resource: { name: 'cpu', target: { averageUtilization: 70 } } },
      ],
    })
  })

  it.skipIf(kubectl.missing)(`prod mounts its own config and shares state through Redis${kubectl.note}`, () => {
    const pod = prod('Deployment').spec?.template?.spec
    const config = prod('ConfigMap', 'recapd-config')
    const names = pod?.volumes?.map((volume) => volume.configMap?.name).filter((name) => name !== undefined)
    expect(names).toEqual([config.metadata.name])
    expect(parse(config.data?.['recapd.yaml'] ?? '')).toEqual(parse(readText(PROD, 'recapd.yaml')))
    expect(pod?.containers[0]?.env).toContainEqual({ name: 'REDIS_URL', value: 'redis://recapd-redis:6379' })
    expect(pod?.containers[0]?.env).toContainEqual({
      name: 'JOBS_SECRET_FILE',
      value: '/run/secrets/recapd/jobs-secret',
    })
  })

  it.skipIf(kubectl.missing)(
    `prod lives in a namespace that enforces the restricted pod standard${kubectl.note}`,
    () => {
      const resources = rendered.get(PROD) ?? []
      const outside = resources.filter((row) => row.kind !== 'Namespace' && row.metadata.namespace !== 'recapd')
      expect(outside).toEqual([])
      expect(prod('Namespace').metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    },
  )

  it.skipIf(kubectl.missing)(`every selector of prod finds the pods it means${kubectl.note}`, () => {
    const pods = { 'app.kubernetes.io/name': 'recapd' }
    expect(prod('Deployment').spec?.template?.metadata.labels).toMatchObject(pods)
    expect(prod('Service').spec?.selector).toEqual(pods)
    for (const kind of ['Deployment', 'PodDisruptionBudget', 'PodMonitor']) {
      expect(prod(kind).spec?.selector).toEqual({ matchLabels: pods })
    }
  })

  it.skipIf(kubectl.missing)(`the network policy opens DNS, TLS without link-local, and Redis${kubectl.note}`, () => {
    const own = prod('NetworkPolicy').spec?.egress ?? []
    const blocks = own.flatMap((rule) => rule.to).flatMap((peer) => (peer.ipBlock === undefined ? [] : [peer.ipBlock]))
    const open = blocks.filter((block) => /^(0\.0\.0\.0|::)\/0$/.test(block.cidr))
    expect(own.map((rule) => rule.ports.map((port) => port.port))).toEqual([[53, 53], [443]])
    expect(open.map((block) => block.except?.[0])).toEqual(['169.254.0.0/16', 'fe80::/10'])
    expect(prod('NetworkPolicy', 'recapd-to-redis').spec?.egress?.map((rule) => rule.ports)).toEqual([
      [{ port: 6379, protocol: 'TCP' }],
    ])
  })

  it.skipIf(kubectl.missing)(`prod ships the dashboard and the alert rules${kubectl.note}`, () => {
    const dashboard = prod('ConfigMap', 'recapd-dashboard')
    expect(dashboard.metadata.labels).toMatchObject({ grafana_dashboard: '1' })
    expect(dashboard.data?.['recapd.json']).toBe(readText('deploy/grafana/dashboards/recapd.json'))
    expect(prod('PrometheusRule').spec).toEqual(readYaml('deploy/prometheus/recapd.rules.yml'))
  })
})
