import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'

/** What this process may use of its machine. */
export interface MachineLimits {
  readonly memoryMiB: number
  /** Whole or part of cores. */
  readonly cpus: number
}

const MIB = 1_048_576
/** Without a limit of its own the process leaves a quarter of the machine to others. */
const SHARE = 0.75

type Read = (file: string) => string | undefined

/** The limits of the control group (v2 or v1) where it has some, else the machine's (docs/spec/production.md §1). */
export function machineLimits(read: Read = readText): MachineLimits {
  const groups = controlGroups(read('/proc/self/cgroup') ?? '')
  const memory = smallest([
    ...ancestors(groups.v2).map((group) => numberIn(read(`/sys/fs/cgroup${group}/memory.max`))),
    ...ancestors(groups.memory).map((group) => numberIn(read(`/sys/fs/cgroup/memory${group}/memory.limit_in_bytes`))),
  ])
  const quota = smallest([
    ...ancestors(groups.v2).map((group) => quotaOf(read(`/sys/fs/cgroup${group}/cpu.max`)?.split(' ') ?? [])),
    ...ancestors(groups.cpu).map((group) =>
      quotaOf(['cfs_quota_us', 'cfs_period_us'].map((file) => read(`/sys/fs/cgroup/cpu${group}/cpu.${file}`))),
    ),
  ])
  const bytes = memory !== undefined && memory < totalmem() ? memory : totalmem() * SHARE
  return {
    memoryMiB: Math.floor(bytes / MIB),
    cpus: Math.min(availableParallelism(), quota ?? Number.POSITIVE_INFINITY),
  }
}

/** `4:memory:/a/b` a line; version 2 has one line without a controller. */
function controlGroups(text: string): { readonly v2?: string; readonly memory?: string; readonly cpu?: string } {
  const rows = text.split('\n').map((line) => line.split(':'))
  const of = (name: string) => rows.find(([, controllers = '']) => controllers.split(',').includes(name))?.[2] ?? '/'
  return { v2: rows.find(([, controllers]) => controllers === '')?.[2] ?? '/', memory: of('memory'), cpu: of('cpu') }
}

/** The limits of every group above count as well. Inside a container its own path may not be there, but `/` is. */
function ancestors(group = '/'): readonly string[] {
  const up = path.posix.dirname(group)
  return group === '/' || group === up ? [''] : [group, ...ancestors(up)]
}

function numberIn(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

/** Cores from microseconds a period. */
function quotaOf([quota, period]: readonly (string | undefined)[]): number | undefined {
  const [used, of] = [numberIn(quota), numberIn(period)]
  return used === undefined || of === undefined ? undefined : used / of
}

function smallest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
