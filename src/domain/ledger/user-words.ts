import { proseLines, withoutWrappers } from '../text/prose.ts'
import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { isTrivialTurn } from './trivial-turn.ts'

// Known openings of such turns in Claude Code, omp, Codex and hermes transcripts (hermes-spec §13).
const SYNTHETIC =
  /^\s*(?:This session is being continued from a previous conversation|Base directory for this skill:|Caveat: The messages below were|\[Request interrupted|\[CONTEXT (?:COMPACTION|SUMMARY)|\[PRIOR CONTEXT|# AGENTS\.md instructions|<(?:environment_context|user_instructions|turn_aborted|task-notification)>)|^(?:<|&lt;)summary>/m
const CAVEAT = /<(local-command-caveat|task-notification|bash-(?:stdout|stderr|input))>[^<]*<\/\1>/g
const LETTER = /[\p{L}\p{N}]/u
const QUESTION = /[?？]["'”’)]{0,2}$/
const LONGEST = 64_000

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
  return LETTER.test(turn) && !isTrivialTurn(turn)
}

/** The question a text ends with, '' when it ends otherwise. */
export function closingQuestion(text: string): string {
  const lines = proseLines(spoken(text)).filter((line) => line.trim() !== '')
  const last = lines.at(-1)
  const sentence = last === undefined ? undefined : sentencesOf(withoutBullet(last)).at(-1)
  return sentence !== undefined && QUESTION.test(sentence) ? sentence : ''
}

/** Without what agents wrap into a turn; in a serialised conversation their tags are neutralised (session-compaction §6). */
function spoken(text: string): string {
  return withoutWrappers(bounded(text).replaceAll('&lt;', '<').replace(CAVEAT, ''))
}

/** A turn of a megabyte is a paste: what its author says stands before or behind it. */
function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
}
