import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of a process and all it started, in microseconds, and its resident memory in MiB; Linux only. */
export function processCost(pid: number): { cpuUs: number; rssMiB: number } {
  let nanoseconds = 0
  let kibibytes = 0
  for (const member of processTree(pid)) {
    try {
      for (const task of readdirSync(`/proc/${member}/task`)) {
        nanoseconds += Number(readFileSync(`/proc/${member}/task/${task}/schedstat`, 'utf8').split(' ')[0])
      }
      kibibytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It ended meanwhile.
    }
  }
  return { cpuUs: nanoseconds / 1000, rssMiB: kibibytes / 1024 }
}

function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It ended meanwhile.
    }
  }
  const tree = [pid]
  for (const member of tree) tree.push(...(children.get(member) ?? []))
  return tree
}
