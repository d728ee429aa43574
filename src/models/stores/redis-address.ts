/** What a Redis URL says, or why it cannot be read; no message holds a part of the URL, which may hold a password. */
export type RedisAddress = RedisPlace | { readonly fault: string }

export interface RedisPlace {
  readonly fault?: undefined
  readonly host: string
  readonly port: number
  readonly database: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** `rediss:`. */
  readonly encrypted: boolean
}

const FORM = 'redis://[user:password@]host[:port][/database]'
const DEFAULT_PORT = 6379

/** Reads the address here and not in the client, which takes nearly anything and fails later, with the URL in its words. */
export function redisAddress(text: string): RedisAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== 'redis' && scheme !== 'rediss') return { fault: `must begin with redis:// or rediss:// (${FORM})` }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return unreadable()
  }
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1]
  if (url.hostname === '' || url.hash !== '' || database === undefined) return unreadable()
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? DEFAULT_PORT : Number(url.port),
      database: Number(database),
      username: emptyAsAbsent(decodeURIComponent(url.username)),
      password: emptyAsAbsent(decodeURIComponent(url.password)),
      encrypted: scheme === 'rediss',
    }
  } catch {
    return unreadable()
  }
}

const emptyAsAbsent = (text: string): string | undefined => (text === '' ? undefined : text)

const unreadable = () => ({
  fault: `cannot be read as ${FORM}; percent-encode every special character of the password`,
})
