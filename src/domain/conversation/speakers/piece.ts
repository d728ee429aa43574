/** A piece of a user's row. `text` of machine text and of what was run is as it stands in the row, tags and all. */
export type Piece =
  | { readonly as: 'words'; readonly text: string }
  | { readonly as: 'machine'; readonly text: string }
  /** `body`: without the tags around it. */
  | { readonly as: 'summary'; readonly text: string; readonly body: string }
  | { readonly as: 'ran'; readonly text: string; readonly command: string }
  | { readonly as: 'output'; readonly text: string; readonly output: string }
  | { readonly as: 'slash'; readonly text: string; readonly name: string; readonly args: string }
