import type { Command } from './command.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const ONE = [1, 1] as const
const NONE = [0, 0] as const

/** Every command of `recapd` (docs/spec/faces.md §5); the first is what runs without a name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    usage: 'serve',
    says: 'starts the service (the default)',
    options: {},
    names: NONE,
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  'check-config': {
    usage: 'check-config [--probe]',
    says: 'validates the configuration and prints the chain of models; --probe asks each provider for one token',
    options: { probe: { type: 'boolean' } },
    names: NONE,
    load: async () => (await import('./check-config-command.ts')).checkConfigCommand,
  },
  compact: {
    usage: 'compact FILE [--window N] [--keep N] [--out FILE]',
    says: 'compacts a session file or a list of messages; prints what /compact answers',
    options: { window: text, keep: text, out: text },
    names: ONE,
    load: async () => (await import('./compact-command.ts')).compactCommand,
  },
  summarize: {
    usage: 'summarize FILE',
    says: 'prints a summary of the whole file',
    options: {},
    names: ONE,
    load: async () => (await import('./summarize-command.ts')).summarizeCommand,
  },
  check: {
    usage: 'check FILE [--window N]',
    says: 'says whether it is time to compact; prints what /check answers',
    options: { window: text },
    names: ONE,
    load: async () => (await import('./check-command.ts')).checkCommand,
  },
  eval: {
    usage: 'eval FILES… --models A,B',
    says: 'compares models on your own sessions: truth, recall, stale share, tokens, cost, latency',
    options: { models: text },
    names: [1, Number.POSITIVE_INFINITY],
    load: async () => (await import('./eval-command.ts')).evalCommand,
  },
  connect: {
    usage: 'connect CLIENT [--url URL] [--undo] [--yes]',
    says: 'points an agent at recapd: shows the change of its settings, then writes it',
    options: { url: text, undo: flag, yes: flag },
    names: ONE,
    load: async () => (await import('./connect-command.ts')).connectCommand,
  },
}

/** One line a command. */
export function usageText(): string {
  const rows = Object.values(COMMANDS)
  const width = Math.max(...rows.map(({ usage }) => usage.length)) + 2
  return [
    'usage: recapd [command]',
    ...rows.map(({ usage, says }) => `  recapd ${usage.padEnd(width)}${says}`),
    'FILE may be - for standard input.',
  ].join('\n')
}
