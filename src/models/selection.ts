import { RecapdError } from '../domain/errors.ts'
import { CALLER_PREFIX } from './candidate-ids.ts'
import type { Selection } from './model.ts'

/** True when the text fits the glob, in which `*` stands for anything. */
export function matchesGlob(glob: string, text: string): boolean {
  if (glob === '*') return true
  const pieces = glob.split('*')
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return glob === text
  if (!text.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/**
 * The candidates that may answer, in order: the asked model first, the rest of the chain after it (docs/spec/models.md §10).
 * `known` are all configured ids, `chain` those of `candidates`. Throws unknown-model or forbidden.
 */
export function selectIds(
  selection: Selection,
  chain: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  const first = firstOf(selection)
  if (first !== undefined && !known.has(first)) {
    throw new RecapdError(
      'unknown-model',
      `The model ${shown(first)} is not configured; GET /v1/models lists what is.`,
      {
        errors: [{ path: selection.model === undefined ? '/strategy' : '/model', message: 'not a configured model' }],
      },
    )
  }
  const allowed = (id: string) =>
    selection.allowed === undefined || selection.allowed.some((glob) => matchesGlob(glob, id))
  if (first !== undefined && !allowed(first))
    throw new RecapdError('forbidden', `This key may not use the model ${first}.`)
  const reachable = (id: string) => selection.throughCaller === true || !id.startsWith(CALLER_PREFIX)
  const ids = [...new Set(first === undefined ? chain : [first, ...chain])].filter(allowed).filter(reachable)
  if (ids.length === 0) throw new RecapdError('forbidden', 'This key may use none of the configured models.')
  return ids
}

function firstOf({ model, strategy }: Selection): string | undefined {
  if (strategy !== undefined && strategy !== 'single') return strategy
  return model
}

/** A caller's own text in an error: short, and only where it looks like a model id. */
function shown(text: string): string {
  return /^[\w./:@-]{1,80}$/.test(text) ? text : 'that was asked for'
}
