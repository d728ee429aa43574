import { availableParallelism, totalmem } from 'node:os'
import { expect, it } from 'vitest'
import { machineLimits } from '../../src/workers/memory-limit.ts'

const MIB = 1_048_576
const WITHOUT = { memoryMiB: Math.floor((totalmem() * 0.75) / MIB), cpus: availableParallelism() }
const limits = (files: Readonly<Record<string, string>>) => machineLimits((file) => files[file])

it.each([
  ['no control group', {}, WITHOUT],
  [
    'version 2',
    { '/proc/self/cgroup': '0::/pod\n', '/sys/fs/cgroup/pod/memory.max': '67108864\n' },
    { ...WITHOUT, memoryMiB: 64 },
  ],
  [
    'version 2 inside a container',
    { '/proc/self/cgroup': '0::/../x\n', '/sys/fs/cgroup/memory.max': '67108864' },
    { ...WITHOUT, memoryMiB: 64 },
  ],
  [
    'a parent that has less',
    {
      '/proc/self/cgroup': '0::/a/b\n',
      '/sys/fs/cgroup/a/b/memory.max': '134217728',
      '/sys/fs/cgroup/a/memory.max': '67108864',
    },
    { ...WITHOUT, memoryMiB: 64 },
  ],
  ['no limit in it', { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/memory.max': 'max\n' }, WITHOUT],
  [
    'version 1',
    {
      '/proc/self/cgroup': '4:memory:/m\n3:cpu,cpuacct:/c\n',
      '/sys/fs/cgroup/memory/m/memory.limit_in_bytes': '67108864',
      '/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us': '50000',
      '/sys/fs/cgroup/cpu/c/cpu.cfs_period_us': '100000',
    },
    { memoryMiB: 64, cpus: 0.5 },
  ],
  [
    'version 1 without a quota',
    {
      '/proc/self/cgroup': '3:cpu:/c\n',
      '/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us': '-1',
      '/sys/fs/cgroup/cpu/c/cpu.cfs_period_us': '100000',
    },
    WITHOUT,
  ],
  [
    'half a core',
    { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': '50000 100000\n' },
    { ...WITHOUT, cpus: 0.5 },
  ],
  [
    'a figure larger than the machine',
    { '/proc/self/cgroup': '4:memory:/\n', '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712' },
    WITHOUT,
  ],
])('machineLimits with %s', (_, files, expected) => {
  expect(limits(files)).toEqual(expected)
})
