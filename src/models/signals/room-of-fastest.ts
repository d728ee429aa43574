/**
 * When one of the listeners has room again; undefined: now. The fastest sets the pace: a listener that does not read must hold up no other
 * (docs/spec/hostile.md §2).
 */
export function roomOfFastest(rooms: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const full = rooms.filter((room) => room !== undefined)
  return full.length < rooms.length || full.length === 0 ? undefined : Promise.race(full)
}
