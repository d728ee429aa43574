import { closesFence, type FenceLine, fenceOf } from '../../text/fences.ts'

/** Which places of a user's text stand inside a fence the user closed: tags there are quoted. Reads each line once. */
export class FenceReader {
  readonly #text: string
  #at: number
  #open: FenceLine | null = null
  #isUnclosed = false

  constructor(text: string, from: number) {
    this.#text = text
    this.#at = text.indexOf('```', from) < 0 && text.indexOf('~~~', from) < 0 ? text.length : from
  }

  /** Where the fence around that place ends, null for a place in none. Ask for places in their order. */
  endAround(place: number): number | null {
    while (this.#at < place) this.#line()
    if (this.#open === null || this.#isUnclosed) return null
    while (this.#at < this.#text.length && this.#open !== null) this.#line()
    if (this.#open === null) return this.#at
    this.#isUnclosed = true
    return null
  }

  #line(): void {
    const end = this.#text.indexOf('\n', this.#at)
    const stop = end < 0 ? this.#text.length : end
    const fence = stop - this.#at > 300 ? null : fenceOf(this.#text.slice(this.#at, stop))
    if (this.#open === null) this.#open = fence
    else if (fence !== null && closesFence(fence, this.#open)) this.#open = null
    this.#at = end < 0 ? stop : end + 1
  }
}
