/** The machine word of an exception of the system (`ENOENT`, `UND_ERR_SOCKET`); undefined for any other throw. */
export function errnoOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
}
