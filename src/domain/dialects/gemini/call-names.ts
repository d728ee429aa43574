/**
 * Ids for the calls of a list whose dialect needs none: a response answers the first open call of its name in the model's last
 * turn that called (docs/spec/reading.md §1). Ids that are there count.
 */
export class CallNames {
  #open: { readonly id: string; readonly name: string }[] = []
  #serial = 0
  #turn = -1
  #calledIn = -1
  #lastRan = ''

  /** Says which message is being read. */
  enter(turn: number): void {
    this.#turn = turn
  }

  call(given: unknown, name: string): string {
    if (this.#calledIn !== this.#turn) this.#open = []
    this.#calledIn = this.#turn
    const id = typeof given === 'string' && given !== '' ? given : this.#next('call')
    this.#open.push({ id, name })
    return id
  }

  result(given: unknown, name: string): string {
    const at = this.#open.findIndex((call) =>
      typeof given === 'string' && given !== '' ? call.id === given : call.name === name,
    )
    if (at >= 0) return this.#open.splice(at, 1)[0]?.id ?? ''
    // A response that names an id its call does not have is its call's all the same, where the name fits.
    const byName = this.#open.findIndex((call) => call.name === name && call.id.startsWith(PREFIX))
    if (byName >= 0) return this.#open.splice(byName, 1)[0]?.id ?? ''
    return typeof given === 'string' && given !== '' ? given : this.#next('orphan')
  }

  /** What the provider ran is answered by the next part that says so. */
  ran(given: unknown): string {
    this.#lastRan = typeof given === 'string' && given !== '' ? given : this.#next('ran')
    return this.#lastRan
  }

  ranResult(given: unknown): string {
    return typeof given === 'string' && given !== '' ? given : this.#lastRan
  }

  #next(kind: string): string {
    this.#serial += 1
    return `${PREFIX}${kind}-${this.#serial}`
  }
}

/** Ours: the provider never sees it. */
const PREFIX = 'unnamed-'
