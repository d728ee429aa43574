import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { expressionFacts, METRIC_CONTRACT } from './metric-contract.ts'
import { readText, readYaml, run, tool } from './repository-files.ts'

interface Datasource {
  readonly type: string
  readonly uid: string
}
interface Target {
  readonly refId: string
  readonly datasource: Datasource
  readonly expr: string
  readonly legendFormat: string
}
interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: Datasource
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly Target[]
}
interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly datasource: Datasource }[] }
  readonly templating: {
    readonly list: readonly {
      readonly name: string
      readonly type: string
      readonly current: { readonly value: string }
      readonly datasource?: Datasource
      readonly definition?: string
    }[]
  }
}

const dashboard = JSON.parse(readText('deploy/grafana/dashboards/recapd.json')) as Dashboard
const promtool = tool('promtool')
const charts = dashboard.panels.filter((panel) => panel.type !== 'row')
const targets = charts.flatMap((panel) => (panel.targets ?? []).map((target) => ({ panel: panel.title, target })))

describe('the Grafana dashboard', () => {
  it('the dashboard gives every panel an id and a place of its own', () => {
    const ids = dashboard.panels.map((panel) => panel.id)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24)
  })

  it('the dashboard has the rows an operator looks for, and no empty chart', () => {
    const rows = dashboard.panels.filter((panel) => panel.type === 'row').map((panel) => panel.title)
    expect(rows).toEqual(['Traffic', 'Latency', 'Models', 'Saturation', 'Summaries', 'Keys, jobs and workers'])
    expect(charts.filter((panel) => (panel.targets ?? []).length === 0)).toEqual([])
    expect(charts.map((panel) => panel.type)).toContain('heatmap')
  })

  it('the dashboard reads one data source, chosen by a variable whose default is the provisioned one', () => {
    const { datasources } = readYaml<{ datasources: { uid: string; type: string }[] }>(
      'deploy/grafana/provisioning/datasources/prometheus.yaml',
    )
    const variable = dashboard.templating.list.find((row) => row.name === 'datasource')
    const used = [
      ...charts.map((panel) => panel.datasource),
      ...targets.map(({ target }) => target.datasource),
      ...dashboard.templating.list.filter((row) => row.type === 'query').map((row) => row.datasource),
      ...dashboard.annotations.list.map((row) => row.datasource).filter((row) => row.type !== 'grafana'),
    ]
    expect(variable?.type).toBe('datasource')
    expect(datasources).toMatchObject([{ uid: variable?.current.value, type: 'prometheus' }])
    expect(used.filter((row) => row?.type !== 'prometheus' || row.uid !== `\${datasource}`)).toEqual([])
  })

  it('the dashboard queries only contract metrics and labels', () => {
    const faults = targets.flatMap(({ panel, target }) =>
      expressionFacts(target.expr).faults.map((fault) => `${panel}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  it.skipIf(promtool.missing)(`the dashboard's queries are PromQL to promtool${promtool.note}`, () => {
    // promtool reads rules, not dashboards, so every query becomes a recording rule with Grafana's variables filled in.
    const rules = targets.map(({ target }, index) => ({
      record: `dashboard:query${index}`,
      expr: target.expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*'),
    }))
    const folder = mkdtempSync(path.join(tmpdir(), 'recapd-dashboard-'))
    const file = path.join(folder, 'queries.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { status, output } = run('promtool', ['check', 'rules', file])
    rmSync(folder, { recursive: true })
    expect(output).toContain(`${rules.length} rules found`)
    expect(status).toBe(0)
  })

  it('the dashboard names in a legend only labels its query keeps', () => {
    const faults = targets.flatMap(({ panel, target }) => {
      const grouped = [...target.expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
      const kept = grouped.length > 0 ? grouped : expressionFacts(target.expr).labels
      const shown = [...target.legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      return shown.filter((label) => !kept.includes(label)).map((label) => `${panel}: ${label}`)
    })
    expect(faults).toEqual([])
  })

  it('the dashboard shows every metric of the contract somewhere', () => {
    const shown = new Set(targets.flatMap(({ target }) => expressionFacts(target.expr).metrics))
    expect(Object.keys(METRIC_CONTRACT).filter((name) => !shown.has(name))).toEqual([])
  })

  it('the dashboard is found by Grafana where compose and its provisioning put it', () => {
    const { providers } = readYaml<{ providers: { options: { path: string } }[] }>(
      'deploy/grafana/provisioning/dashboards/recapd.yaml',
    )
    const { services } = readYaml<{
      services: { grafana: { volumes: string[]; environment: Record<string, string> } }
    }>('docker-compose.yml')
    const folder = providers[0]?.options.path ?? ''
    expect(services.grafana.volumes).toContain(`./deploy/grafana/dashboards:${folder}:ro`)
    expect(services.grafana.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']).toBe(`${folder}/recapd.json`)
  })
})
