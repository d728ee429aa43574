/** What a name ends in that has a secret after its separator: headers, queries and assignments have this in common. */
export const SECRET_NAMES: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'access', 'key', 'base', 'token'],
  ...['credential', 'credentials', 'authorization', 'auth', 'sig', 'signature'],
]
