import { closesFence, type FenceLine, fenceOf } from '../../text/fences.ts'

/** A line that may open or close a fence; offsets in its text, `end` after its line end. */
interface PlacedFence extends FenceLine {
  readonly start: number
  readonly end: number
}

/** Longer lines are not fences. */
const LONGEST_LINE = 300

/**
 * Which places of a user's text stand inside a fence the user closed: tags there are quoted. Each line is read once, however often
 * reading begins anew: whether a fence is ever closed is known before it is asked (docs/spec/hostile.md §1).
 */
export class FenceReader {
  readonly #fences: readonly PlacedFence[]
  /** For each fence the longest mark that closes one, from it to the end, by its character. */
  readonly #longest: readonly Readonly<Record<string, number>>[]
  #next = 0
  #open: FenceLine | null = null
  #isUnclosed = false

  constructor(text: string) {
    this.#fences = fencesOf(text)
    this.#longest = longestFrom(this.#fences)
  }

  /** Starts over after a wrapper, whose own fences do not count. */
  restart(from: number): void {
    while ((this.#fences[this.#next]?.start ?? from) < from) this.#next += 1
    this.#open = null
    this.#isUnclosed = false
  }

  /** Where the fence around that place ends, null for a place in none. Ask for places in their order. */
  endAround(place: number): number | null {
    for (let fence = this.#fences[this.#next]; fence !== undefined && fence.start < place; ) {
      this.#read(fence)
      fence = this.#fences[this.#next]
    }
    if (this.#open === null || this.#isUnclosed) return null
    const { mark } = this.#open
    this.#isUnclosed = (this.#longest[this.#next]?.[mark.charAt(0)] ?? 0) < mark.length
    if (this.#isUnclosed) return null
    let end = place
    for (let fence = this.#fences[this.#next]; fence !== undefined && this.#open !== null; ) {
      this.#read(fence)
      end = fence.end
      fence = this.#fences[this.#next]
    }
    return end
  }

  #read(fence: PlacedFence): void {
    if (this.#open === null) this.#open = fence
    else if (closesFence(fence, this.#open)) this.#open = null
    this.#next += 1
  }
}

function fencesOf(text: string): readonly PlacedFence[] {
  if (!text.includes('```') && !text.includes('~~~')) return []
  const fences: PlacedFence[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const stop = newline < 0 ? text.length : newline
    const fence = stop - start > LONGEST_LINE ? null : fenceOf(text.slice(start, stop))
    const end = newline < 0 ? stop : newline + 1
    if (fence !== null) fences.push({ ...fence, start, end })
    start = end
  }
  return fences
}

function longestFrom(fences: readonly PlacedFence[]): readonly Readonly<Record<string, number>>[] {
  let longest: Readonly<Record<string, number>> = {}
  return fences
    .toReversed()
    .map(({ mark, info }) => {
      const kind = mark.charAt(0)
      if (info === '' && mark.length > (longest[kind] ?? 0)) longest = { ...longest, [kind]: mark.length }
      return longest
    })
    .reverse()
}
