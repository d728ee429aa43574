/** What keeps a redis-server started so from holding jobs: one line a fault (docs/spec/production.md §2, §6). */
export function redisFaults(args: readonly string[]): string[] {
  const wanted = { '--appendonly': 'yes', '--appendfsync': 'always', '--maxmemory-policy': 'noeviction' }
  return Object.entries(wanted)
    .filter(([flag, value]) => !args.includes(flag) || args[args.indexOf(flag) + 1] !== value)
    .map(([flag, value]) => `${flag} is not ${value}`)
}
