/**
 * When there is room again, of all who listen; undefined: now. The fastest sets the pace: who does not read must hold up nobody else
 * (docs/spec/hostile.md §2).
 */
export function roomOfFastest(rooms: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const full = rooms.filter((room) => room !== undefined)
  return full.length < rooms.length || full.length === 0 ? undefined : Promise.race(full)
}
