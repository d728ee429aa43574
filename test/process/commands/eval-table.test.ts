import { expect, it } from 'vitest'
import { evalTable } from '../../../src/process/commands/eval-table.ts'

const score = (truth: number) => ({ truth, recall: truth, staleShare: 1 - truth, stateLines: 3 })

it('evalTable shows medians a model, in the order asked, and how many files were answered', () => {
  const table = evalTable([
    { model: 'beta/x', score: score(0.5), tokens: 100, costUsd: 0.01, latencyMs: 900 },
    { model: 'beta/x', score: score(0.9), tokens: 300, costUsd: 0.03, latencyMs: 100 },
    { model: 'beta/x', score: score(1), tokens: 101, costUsd: 0.02, latencyMs: 200 },
    { model: 'alpha/small', score: score(0.4), tokens: 10, costUsd: 0, latencyMs: 1 },
    { model: 'alpha/small' },
    { model: 'dead' },
  ])
  expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['model', 'truth', 'recall', 'stale', 'tokens', 'cost', 'latency', 'answered'],
    ['beta/x', '0.90', '0.90', '0.10', '101', '$0.0200', '200 ms', '3/3'],
    ['alpha/small', '0.40', '0.40', '0.60', '10', '$0.0000', '1 ms', '1/2'],
    ['dead', '-', '-', '-', '-', '-', '-', '0/1'],
  ])
})

it('evalTable takes the middle of two', () => {
  const two = [1, 0.5].map((truth) => ({ model: 'm', score: score(truth), tokens: 1, costUsd: 0, latencyMs: 2 }))
  expect(evalTable(two)).toContain('0.75')
})
