import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { expressionFacts, METRIC_CONTRACT } from './metric-contract.ts'
import { inRepository, readText, readYaml, run, tool } from './repository-files.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}
interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
  }[]
}

const FOLDER = ['deploy', 'prometheus'] as const
const ruleFile = readYaml<RuleFile>(...FOLDER, 'recapd.rules.yml')
const rules = ruleFile.groups.flatMap((group) => group.rules)
const promtool = tool('promtool')

describe('expressionFacts', () => {
  it.each([
    ['a metric nobody exports', 'rate(recapd_requests_total{job="recapd"}[5m])'],
    ['a label the metric does not have', 'recapd_queue_depth{job="recapd",model="a"}'],
    ['a grouping by a label nothing has', 'sum by (model) (recapd_queue_depth{job="recapd"})'],
    ['a histogram without its suffix', 'rate(recapd_fold_parts{job="recapd"}[5m])'],
    ['a series of any job', 'recapd_redis_up{instance="a"} == 0'],
    ['a series without selector', 'recapd_redis_up == 0'],
  ])('expressionFacts reports %s', (_, expression) => {
    expect(expressionFacts(expression).faults).toHaveLength(1)
  })
})

describe('alert rules', () => {
  it('alert rules cover what the service can tell about itself', () => {
    const metrics = new Set(rules.flatMap((rule) => expressionFacts(rule.expr).metrics))
    expect([...metrics]).toEqual(
      expect.arrayContaining([
        'up',
        'recapd_http_requests_total',
        'recapd_degraded_total',
        'recapd_http_request_duration_seconds',
        'recapd_queue_rejected_total',
        'recapd_breaker_state',
        'recapd_redis_up',
      ]),
    )
  })

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s reads only contract metrics and labels', (_, rule) => {
    const { faults, labels } = expressionFacts(rule.expr)
    const text = rule.annotations.summary + rule.annotations.description
    const shown = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
    const mentioned = [...text.matchAll(/\brecapd_\w+/g)].map(([name]) => name)
    expect(faults).toEqual([])
    expect(labels).toEqual(expect.arrayContaining(shown))
    expect(Object.keys(METRIC_CONTRACT)).toEqual(expect.arrayContaining(mentioned))
    expect(rule.labels.severity).toMatch(/^(page|ticket)$/)
  })

  it.each(rules.map((rule) => rule.alert))('%s has a unit test that fires and one that stays silent', (alert) => {
    const cases = readYaml<RuleTests>(...FOLDER, 'recapd.rules.test.yml').tests.flatMap((test) => test.alert_rule_test)
    const expected = cases.filter((row) => row.alertname === alert).map((row) => row.exp_alerts.length > 0)
    expect(new Set(expected)).toEqual(new Set([true, false]))
  })

  it('the PrometheusRule holds the same rules; `npx vitest run test/deploy -u` writes it anew', async () => {
    const resource = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'recapd', labels: { 'app.kubernetes.io/name': 'recapd' } },
      spec: ruleFile,
    }
    const text = `# Written from deploy/prometheus/recapd.rules.yml by test/deploy/alerts.test.ts.\n${stringify(resource, { lineWidth: 0 })}`
    await expect(text).toMatchFileSnapshot(inRepository('deploy/k8s/components/monitoring/prometheusrule.yaml'))
  })

  it.skipIf(promtool.missing)(`promtool accepts the rules and the scrape config${promtool.note}`, () => {
    const checked = run('promtool', ['check', 'config', 'prometheus.yml'], inRepository(...FOLDER))
    expect(checked.output).toContain(`${rules.length} rules found`)
    expect(checked.status).toBe(0)
  })

  it.skipIf(promtool.missing)(`promtool's unit tests of the rules pass${promtool.note}`, () => {
    expect(run('promtool', ['test', 'rules', 'recapd.rules.test.yml'], inRepository(...FOLDER))).toMatchObject({
      status: 0,
    })
  })

  it('the scrape job is the one the alerts ask for, in compose and in Kubernetes', () => {
    const { scrape_configs } = readYaml<{ scrape_configs: { job_name: string }[] }>(...FOLDER, 'prometheus.yml')
    const monitor = readText('deploy/k8s/components/monitoring/podmonitor.yaml')
    expect(scrape_configs.map((job) => job.job_name)).toEqual(['recapd'])
    expect(monitor).toMatch(/jobLabel: app\.kubernetes\.io\/name/)
    expect(readText('deploy/k8s/base/deployment.yaml')).toContain('labels: { app.kubernetes.io/name: recapd }')
  })
})
