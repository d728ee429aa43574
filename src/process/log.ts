import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** Plain lines wait this long at most, so that a burst is one write; ops tools that follow the log notice nothing. */
const FLUSH_MS = 50
const BUFFER_BYTES = 16_384
const MOST_BYTES_A_WRITE = 65_536

/**
 * pino, to stdout unless told otherwise. What reaches it has no conversation text and no key by construction
 * (access-log.ts); the redaction paths are the second line of defence.
 */
export function createLogger(level: string, stream: DestinationStream = standardOutput()): Logger {
  return pino(optionsOf(level), stream)
}

/** pino sets the level of each line on a stream with this mark before it writes it. */
const METADATA = Symbol.for('pino.metadata')
const WARN = 40

/** What is used of pino's own destination. Its `flush` does nothing while a write is under way. */
type Destination = Pick<ReturnType<typeof destination>, 'write' | 'flush' | 'flushSync'> & {
  on(event: 'write', listener: (bytes: number) => void): unknown
  on(event: 'drain', listener: () => void): unknown
}

export interface OutputOptions {
  readonly stream?: Destination
  /** Removes secrets from warnings and faults, whose text may come from elsewhere. */
  readonly mask?: (line: string) => string
}

const stdout = (): Destination =>
  destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, maxWrite: MOST_BYTES_A_WRITE })

/** stdout: plain lines go out together, warnings and faults at once. */
export function standardOutput({ stream = stdout(), mask = (line) => line }: OutputOptions = {}): DestinationStream & {
  flushSync(): void
} {
  let givenBytes = 0
  let writtenBytes = 0
  let isUrgent = false
  let isDue = false
  const flush = () => {
    isUrgent = false
    isDue = false
    stream.flush()
  }
  // Set only while something waits: a clock that always runs costs a quiet service more than its work.
  const flushSoon = () => {
    if (isDue) return
    isDue = true
    setTimeout(flush, FLUSH_MS).unref()
  }
  stream.on('write', (bytes) => {
    writtenBytes += bytes
  })
  // Lines that came during a write, when a flush does nothing, would otherwise wait for the next line.
  stream.on('drain', () => {
    if (givenBytes > writtenBytes) flushSoon()
  })
  const leveled = {
    [METADATA]: true,
    lastLevel: 0,
    write(given: string) {
      const line = leveled.lastLevel < WARN ? given : mask(given)
      givenBytes += Buffer.byteLength(line)
      stream.write(line)
      flushSoon()
      // Warnings and faults are what somebody is waiting for.
      if (leveled.lastLevel < WARN || isUrgent) return
      isUrgent = true
      setImmediate(flush)
    },
    flushSync() {
      stream.flushSync()
      writtenBytes = givenBytes
    },
  }
  return leveled
}

let lastMs = 0
let lastTimestamp = ''

/** The same for all lines of a millisecond: writing a date is a third of the cost of a line. */
function timestamp(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastTimestamp = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastTimestamp
}

const optionsOf = (level: string) => ({
  level,
  // The host name is the platform's business; the pid tells replicas on one machine apart.
  base: { pid: process.pid },
  timestamp,
  formatters: { level: (label: string) => ({ level: label }) },
  // No wildcard among them: one would double the cost of every line.
  redact: ['authorization', 'headers.authorization', 'headers["x-api-key"]', 'apiKey', 'apiKeys', 'cookie'],
})
