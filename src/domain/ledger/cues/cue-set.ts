/**
 * Cues of one language. Phrases are lower case with straight apostrophes. A phrase counts where its list says and nowhere
 * else: loose cue words in the middle of a sentence were half noise on real sessions (docs/spec/models.md §7).
 */
export interface CueSet {
  /** Written without spaces between words, so a cue needs no word boundary. */
  readonly unspaced?: true
  /** Words that may stand in front of a cue at the start of a sentence or clause. */
  readonly lead: readonly string[]
  /** Who claims; may stand in front of a claim. */
  readonly subjects?: readonly string[]
  /** Claims of completion. */
  readonly done: readonly string[]
  /** What the assistant is about to do. */
  readonly intent: readonly string[]
  /** A decision, in the words of whoever made it. */
  readonly decision: readonly string[]
  /** What comes next. */
  readonly next: readonly string[]
  /** Labels that stand in front of a colon, by what follows them. */
  readonly labels: {
    readonly decision: readonly string[]
    readonly next: readonly string[]
    readonly blocked: readonly string[]
    readonly constraint: readonly string[]
    readonly done: readonly string[]
  }
  /** Whole turns that say nothing on their own. */
  readonly trivial: readonly string[]
  /** What the user forbids, anywhere in a sentence (docs/spec/truth.md §4). */
  readonly prohibition: RegExp
  /** What the user wants always or in one way only, anywhere in a sentence. */
  readonly obligation: RegExp
  /** Names rules that a project keeps, anywhere in a sentence of the assistant. */
  readonly convention: RegExp
  /** What the assistant found out, proved or brought about, anywhere in a sentence. */
  readonly finding: RegExp
  /** How the assistant sets a failure aside as none of its own, anywhere in a sentence. */
  readonly dismissal: RegExp
  /** How a user has the last thing taken back, anywhere in a short turn. */
  readonly undo: RegExp
  /** Words that take a rule back, anywhere in a sentence. */
  readonly lifting: RegExp
  /** How a user's choice, veto or correction begins. */
  readonly choice: RegExp
  /** A choice stated with its alternative or its reason, anywhere in a sentence of the assistant. */
  readonly reason: RegExp
}
