/** Adds items to a list, however many: spread as arguments, some hundred thousand are more than the engine's stack holds. */
export function addAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
