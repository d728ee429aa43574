import { spelledPlaces } from '../spelled-json.ts'
import type { FoldPlan } from './fold-plan.ts'

/** A plan whose parts also say where they stand in the prompt as it was spelled: they can be sent without being read. Linear in the prompt. */
export function withSpelledParts(plan: FoldPlan, prompt: string, json: Uint8Array): FoldPlan {
  if (plan.kind !== 'parts') return plan
  const ends = plan.parts.flatMap(({ start, end }) => [start, start + prompt.slice(start, end).trimEnd().length])
  const places = spelledPlaces(json, ends)
  const parts = plan.parts.map((part, i) => ({
    ...part,
    spelled: { from: places[2 * i] ?? 0, to: places[2 * i + 1] ?? 0 },
  }))
  return { ...plan, parts }
}
