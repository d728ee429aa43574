import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A control group with a memory limit, for processes of a test. */
export interface MemoryGroup {
  /** The command that runs another one inside the group. */
  command(program: string, args: readonly string[]): readonly [string, readonly string[]]
  /** How many of its processes the kernel has killed. */
  killed(): number
  remove(): Promise<void>
}

const MIB = 1_048_576
let made = 0

/** Version 2 or 1 of control groups, whichever lets us; undefined where neither does. */
export function memoryGroup(limitMiB: number): MemoryGroup | undefined {
  const limit = String(limitMiB * MIB)
  const v2 = groupOf('')
  const v1 = groupOf('memory')
  return (
    createdIn(
      path.join('/sys/fs/cgroup', v2 ?? '-'),
      { 'memory.max': limit, 'memory.swap.max': '0' },
      'memory.events',
    ) ??
    createdIn(
      path.join('/sys/fs/cgroup/memory', v1 ?? '-'),
      { 'memory.limit_in_bytes': limit, 'memory.memsw.limit_in_bytes': limit },
      'memory.oom_control',
    )
  )
}

/** This process's own group of that controller. */
function groupOf(controller: string): string | undefined {
  const rows = textOf('/proc/self/cgroup').split('\n')
  return rows.map((line) => line.split(':')).find(([, names = '-']) => names.split(',').includes(controller))?.[2]
}

function createdIn(parent: string, files: Readonly<Record<string, string>>, events: string): MemoryGroup | undefined {
  made += 1
  const folder = path.join(parent, `recapd-hostile-${process.pid}-${made}`)
  try {
    accessSync(parent, constants.W_OK)
    mkdirSync(folder)
    for (const [file, value] of Object.entries(files)) write(path.join(folder, file), value)
    // A shell that is let in says that a process can be.
    if (spawnSync('sh', ['-c', `echo $$ > ${folder}/cgroup.procs`]).status !== 0) throw new Error('nobody is let in')
  } catch {
    removeNow(folder)
    return undefined
  }
  return {
    command: (program, args) => ['sh', ['-c', `echo $$ > ${folder}/cgroup.procs && exec "$0" "$@"`, program, ...args]],
    killed: () => Number(/oom_kill (\d+)/.exec(textOf(path.join(folder, events)))?.[1] ?? 0),
    async remove() {
      for (let time = 0; time < 50 && !removeNow(folder); time += 1) await sleep(100)
    },
  }
}

/** A kernel without accounting of swap has no file for it. */
function write(file: string, value: string): void {
  try {
    writeFileSync(file, value)
  } catch (error) {
    if (!/swap|memsw/.test(file)) throw error
  }
}

function removeNow(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
