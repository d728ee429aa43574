import { proseLines, withoutWrappers } from '../text/prose.ts'
import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { constraintAt, constraintOf, mayHoldConstraint } from './constraint-of.ts'

const TRIVIAL =
  /^(?:(?:ok(?:ay)?|yes|yep|no|sure|thanks?(?: you)?|thank you|go(?: on| ahead)?|continue|proceed|next|done|great|good|nice|perfect|please|do it|try again|retry|sí|si|vale|gracias|sigue|continúa|continua|siga|ja|nein|danke|weiter|oui|non|merci|continue[rz]?|sim|não|obrigad[oa]|да|нет|спасибо|продолжай|好的?|是的?|继续|谢谢|はい|いいえ|続けて|ありがとう|ls|pwd|clear|continue if you have next steps)[\s,.!…]{0,6}){1,3}$/iu
// A command of the agent, with at most two words behind it; more than that is somebody asking for something.
const SLASH = /^\/[a-z][\w:-]{0,40}(?:\s+\S+){0,2}$/i
// Known openings of such turns in Claude Code, omp, Codex and hermes transcripts (hermes-spec §13).
const SYNTHETIC =
  /^\s*(?:This session is being continued from a previous conversation|Base directory for this skill:|Caveat: The messages below were|\[Request interrupted|\[CONTEXT (?:COMPACTION|SUMMARY)|\[PRIOR CONTEXT|# AGENTS\.md instructions|<(?:environment_context|user_instructions|turn_aborted|task-notification)>)|^(?:<|&lt;)summary>/m
const CAVEAT = /<(local-command-caveat|task-notification|bash-(?:stdout|stderr|input))>[^<]*<\/\1>/g
// What is quoted was said by somebody else; a list item that is a quote too.
const QUOTED = /^\s*(?:[-*]\s*)?(?:[>"“«]|\*\*\w+ ?\w*\*\*:)/
const LETTER = /[\p{L}\p{N}]/u
const QUESTION = /[?？]["'”’)]{0,2}$/
const LONGEST = 64_000
const WRAP_WIDTH = 50
const CONTINUES = /^\s*[\p{Ll}(]/u
const SENTENCE = { least: 8, most: 300 } as const

/** True for turns that an agent wrote in the user's name: continued summaries, skill texts, notes about interruptions. */
export function isSynthetic(text: string): boolean {
  return SYNTHETIC.test(text.slice(0, 400))
}

/** The user's own words of one turn: wrappers of the agent, code and pasted logs left out; all of it when nothing is left. */
export function ownWords(text: string): string {
  const bare = spoken(text)
  const prose = proseLines(bare).join('\n').trim()
  return prose === '' ? bare.trim() : prose
}

/** False for turns that ask for nothing by themselves: "ok", "go on", slash commands, an emoji. */
export function isSubstantive(words: string): boolean {
  const turn = words.trim()
  return LETTER.test(turn) && !TRIVIAL.test(turn) && !SLASH.test(turn)
}

/** Sentences in which the user lays something down, in order; over-long ones are cut to the part around the cue. */
export function constraintSentences(text: string): string[] {
  const turn = spoken(text)
  if (!mayHoldConstraint(turn)) return []
  return joinWrapped(proseLines(turn))
    .filter((line) => !QUOTED.test(line))
    .flatMap((line) => sentencesOf(withoutBullet(line)))
    .filter(
      (sentence) => sentence.length >= SENTENCE.least && constraintOf(sentence.slice(0, 2 * SENTENCE.most)) !== null,
    )
    .map(aroundCue)
}

/** Hard-wrapped paragraphs made one line again: a long line that goes on in lower case. */
function joinWrapped(lines: readonly string[]): string[] {
  const joined: string[] = []
  let length = 0
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && length >= WRAP_WIDTH && CONTINUES.test(line))
      joined[joined.length - 1] = `${last} ${line.trim()}`
    else joined.push(line)
    length = line.length
  }
  return joined
}

/** The question a text ends with, '' when it ends otherwise. */
export function closingQuestion(text: string): string {
  const lines = proseLines(spoken(text)).filter((line) => line.trim() !== '')
  const last = lines.at(-1)
  const sentence = last === undefined ? undefined : sentencesOf(withoutBullet(last)).at(-1)
  return sentence !== undefined && QUESTION.test(sentence) ? sentence : ''
}

function aroundCue(sentence: string): string {
  if (sentence.length <= SENTENCE.most) return sentence
  const from = Math.max(0, constraintAt(sentence.slice(0, 2 * SENTENCE.most)) - SENTENCE.most / 3)
  const start = from === 0 ? 0 : sentence.indexOf(' ', from) + 1
  const end = sentence.lastIndexOf(' ', start + SENTENCE.most)
  return sentence.slice(start, end > start ? end : start + SENTENCE.most)
}

/** Without what agents wrap into a turn; in a serialised conversation their tags are neutralised (session-compaction §6). */
function spoken(text: string): string {
  return withoutWrappers(bounded(text).replaceAll('&lt;', '<').replace(CAVEAT, ''))
}

/** A turn of a megabyte is a paste: what its author says stands before or behind it. */
function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
}
