/** One thing done in two ways that come to the same. */
export interface Trick {
  readonly what: string
  /** The file of ours. */
  readonly where: string
  readonly ours: () => unknown
  readonly plain: () => unknown
}
