/** Marks around reasoning that strip-thinking.ts does not take for tags: Kimi, Mistral, Cohere, OpenThoughts, Seed, Gemma. */
const REASONING: readonly (readonly [string, string])[] = [
  ['◁think▷', '◁/think▷'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<seed:think>', '</seed:think>'],
  ['<unused94>thought', '<unused95>'],
]
const FINAL = '<|channel|>final'
/** How a turn begins for a model: `<|im_start|>assistant`, `<|start_header_id|>assistant<|end_header_id|>`, `<|assistant|>`. */
const OPENING =
  /^(?:\s{0,20}(?:<s>|<bos>|<\|(?:begin_of_text|START_RESPONSE|begin_of_solution|assistant|message)\|>|<\|(?:im_start|start|start_header_id)\|>assistant(?:<\|(?:end_header_id|message)\|>)?|<start_of_turn>model))/
/** How one ends. What a model writes after it is somebody else's turn, made up. */
const ENDING =
  /(?:<[|｜](?:im_end|end|return|eot_id|eom_id|endoftext|end_of_text|end_of_turn|END_RESPONSE|end_of_solution|end▁of▁sentence)[|｜]>|<\/s>|<eos>|<end_of_turn>)(?=\s{0,20}(?:$|\n|<[|｜]))/

/**
 * An answer without the control marks of its model (docs/spec/reading.md §7): of harmony's channels the final one, no
 * reasoning in marks that are not tags, no opening of a turn and nothing after its ending.
 */
export function stripControlMarks(answer: string): string {
  if (!/[<◁[]/.test(answer)) return answer
  let text = withoutReasoning(finalChannel(answer))
  for (let opening = OPENING.exec(text); opening !== null; opening = OPENING.exec(text)) {
    text = text.slice(opening[0].length)
  }
  const ending = ENDING.exec(text)
  return ending === null ? text : text.slice(0, ending.index)
}

/** harmony: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…`; without a final one it is all reasoning. */
function finalChannel(text: string): string {
  const final = text.lastIndexOf(FINAL)
  if (final < 0) return text.trimStart().startsWith('<|channel|>') ? '' : text
  const message = text.indexOf('<|message|>', final)
  return message < 0 ? text.slice(final + FINAL.length) : text.slice(message + '<|message|>'.length)
}

/** Where the answer begins with such a mark, or its first one is a closing one whose opening the provider swallowed. */
function withoutReasoning(text: string): string {
  for (const [opening, closing] of REASONING) {
    const start = text.indexOf(opening)
    const end = text.indexOf(closing)
    const begins = text.trimStart().startsWith(opening)
    if (begins && end < 0) return ''
    if (begins || (end >= 0 && (start < 0 || end < start))) return text.slice(end + closing.length)
  }
  return text
}
