/** As V8 writes it; times in microseconds. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Microseconds by room: a folder of ours, a package, Node's own code, what V8 and the kernel do. Idle time is none. */
export function timeByRoom(profile: CpuProfile): ReadonlyMap<string, number> {
  const rooms = new Map(profile.nodes.map(({ id, callFrame }) => [id, roomOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [at, id] of profile.samples.entries()) {
    const room = rooms.get(id)
    if (room !== undefined) times.set(room, (times.get(room) ?? 0) + (profile.timeDeltas[at] ?? 0))
  }
  return times
}

const NATIVE: Readonly<Record<string, string | undefined>> = {
  '(idle)': undefined,
  '(garbage collector)': 'garbage collection',
  '(program)': 'V8 and the kernel',
}

/** The first two folders of ours, or one of `src/domain`. */
const OURS = /\/src\/((?:domain\/)?[^/]+(?:\/[^/]+(?=\/))?)/
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/

function roomOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string | undefined {
  if (functionName in NATIVE) return NATIVE[functionName]
  const module = PACKAGE.exec(url)?.[1]
  if (module !== undefined) return module
  const folder = OURS.exec(url)?.[1]
  if (folder !== undefined) return `src/${folder}`
  return url === '' ? `built in: ${functionName}` : url.startsWith('node:') ? 'node' : 'V8 and the kernel'
}
