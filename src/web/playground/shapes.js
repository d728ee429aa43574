/**
 * @import { AttemptRow } from '../../domain/attempt-row.ts'
 * @import { Problem } from '../../http/plugins/problem.ts'
 * @import { CallRow } from '../../models/rows.ts'
 * @import { BranchSummaryResult } from '../../pipelines/branch/branch-schema.ts'
 * @import { CheckResult } from '../../pipelines/check-schema.ts'
 * @import { CompactMessagesResult, CompactSessionResult } from '../../pipelines/compact-result-schema.ts'
 * @import { ContextResult } from '../../pipelines/context-schema.ts'
 * @import { SummarizeResult } from '../../pipelines/prompt/summarize-schema.ts'
 * @import { PruneResult } from '../../pipelines/prune-schema.ts'
 * @import { ENDPOINT_TABLE } from './request/endpoint-table.js'
 */

/**
 * The answers as the service describes them. A part of one may be missing: the service may be of another version.
 * @typedef {Partial<CompactSessionResult & CompactMessagesResult>} CompactAnswer
 * @typedef {Partial<SummarizeResult>} SummarizeAnswer
 * @typedef {Partial<BranchSummaryResult>} BranchAnswer
 * @typedef {{
 *   readonly compact: CompactAnswer, readonly summarize: SummarizeAnswer, readonly 'branch-summary': BranchAnswer,
 *   readonly check: CheckResult, readonly prune: PruneResult, readonly context: ContextResult,
 * }} Answers
 * @typedef {Answers['context']} ContextAnswer
 * @typedef {keyof Answers & keyof typeof ENDPOINT_TABLE} EndpointName
 *
 * What the views of an outcome read, whichever work it was.
 * @typedef {{
 *   readonly compacted?: boolean, readonly summarized?: boolean, readonly cancelled?: boolean, readonly reason?: string,
 *   readonly method?: string, readonly degraded?: boolean, readonly fallbackUsed?: boolean,
 *   readonly progress?: CompactAnswer['progress'], readonly plan?: { readonly isSplitTurn?: boolean },
 *   readonly pruned?: { readonly count: number, readonly tokensSaved: number }, readonly editorText?: string | null,
 *   readonly next?: Partial<NonNullable<CompactAnswer['next']>>, readonly prompts?: CompactAnswer['prompts'],
 *   readonly calls?: readonly Call[], readonly model?: string, readonly usage?: Call['usage'],
 *   readonly attempts?: readonly Attempt[],
 * }} WorkAnswer
 * @typedef {Partial<AttemptRow> & { readonly kind?: string }} Attempt
 * @typedef {Partial<Omit<CallRow, 'attempts'>> & { readonly attempts?: readonly Attempt[] }} Call
 *
 * A problem of the service, or one that the page found by itself.
 * @typedef {Partial<Omit<Problem, 'code'>> & { readonly code?: string }} AnyProblem
 *
 * What came of a request, and what its headers told.
 * @typedef {{
 *   readonly status?: number, readonly requestId: string | null, readonly cache: string | null, readonly durationMs: number,
 * }} Told
 * @typedef {{ readonly json: Answers[EndpointName], readonly problem?: undefined }} Answered
 * @typedef {{ readonly problem: AnyProblem, readonly json?: undefined }} Refused
 * @typedef {(Answered | Refused) & Told & { readonly stopped?: undefined }} Outcome
 * @typedef {{ readonly stopped: true }} Stopped
 * @typedef {(name: string, data: EventData) => void} OnEvent
 *
 * The data of one event of a stream, whichever it is.
 * @typedef {Attempt & {
 *   readonly text?: string, readonly count?: number, readonly tokensSaved?: number, readonly plan?: EventPlan,
 *   readonly tokens?: EventPlan['tokens'], readonly isSplitTurn?: boolean,
 * }} EventData
 * @typedef {{ readonly tokens?: Partial<NonNullable<CompactSessionResult['plan']>['tokens']>, readonly isSplitTurn?: boolean }} EventPlan
 *
 * Rows of an input as some agent wrote them: nobody has checked them, everything may be missing.
 * @typedef {string | readonly (string | Part | null)[]} Content
 * @typedef {{
 *   readonly type?: string, readonly name?: string, readonly arguments?: unknown, readonly input?: unknown,
 *   readonly content?: Content, readonly thinking?: string, readonly text?: string,
 * }} Part
 * @typedef {{
 *   readonly role?: string, readonly content?: Content, readonly summary?: Content, readonly command?: string,
 *   readonly code?: string, readonly files?: readonly { readonly path: string }[], readonly parts?: unknown,
 *   readonly tool_calls?: readonly ({ readonly function?: { readonly name?: string, readonly arguments?: string } } | null)[],
 * }} Message
 * @typedef {Message & {
 *   readonly id?: string, readonly type?: string, readonly message?: Message | null, readonly cwd?: string,
 *   readonly model?: string, readonly modelId?: string, readonly thinkingLevel?: unknown, readonly label?: string,
 *   readonly customType?: string, readonly name?: string, readonly arguments?: unknown, readonly output?: Content,
 *   readonly uuid?: unknown, readonly parentUuid?: unknown, readonly payload?: unknown, readonly lc?: unknown,
 *   readonly kwargs?: unknown, readonly data?: unknown,
 * }} Row
 *
 * What somebody pasted or dropped (read-source.js).
 * @typedef {Readonly<Record<string, unknown>>} Fields
 * @typedef {{ readonly kind: 'session', readonly rows: readonly Row[], readonly skipped: number, readonly text?: string, readonly body?: Fields }} SessionSource
 * @typedef {{
 *   readonly kind: 'transcript', readonly agent: string, readonly rows: readonly Row[], readonly lines: number,
 *   readonly skipped: number, readonly text: string, readonly body?: undefined,
 * }} TranscriptSource
 * @typedef {{ readonly kind: 'messages', readonly dialect: string, readonly rows: readonly Row[], readonly body: Fields, readonly text?: undefined }} ListSource
 * @typedef {{ readonly kind: 'prompt', readonly body: Fields, readonly rows?: undefined, readonly text?: undefined }} PromptSource
 * @typedef {{
 *   readonly kind: 'text', readonly text: string, readonly foreign?: boolean, readonly brokenJson?: boolean,
 *   readonly rows?: undefined, readonly body?: undefined,
 * }} TextSource
 * @typedef {{ readonly kind: 'empty', readonly rows?: undefined, readonly text?: undefined, readonly body?: undefined }} EmptySource
 * @typedef {SessionSource | TranscriptSource | ListSource | PromptSource | TextSource | EmptySource} Source
 * @typedef {Source['kind']} Kind
 *
 * What the fields of the form hold, by their ids.
 * @typedef {Readonly<Record<string, string | boolean | undefined>>} Values
 *
 * @typedef {{ readonly message: string, readonly field: string }} Fault
 * @typedef {{
 *   readonly path: string, readonly contentType: string, readonly body: string, readonly streams: boolean,
 *   readonly file: string, readonly fault?: undefined,
 * }} Sendable
 * @typedef {Sendable | { readonly fault: Fault }} BuiltRequest
 *
 * @typedef {NonNullable<NonNullable<CompactAnswer['plan']>['coverage']>[number]['fate']} Fate
 *
 * One row of the input with its fate, and where the cut lies among them (coverage-rows.js).
 * @typedef {{
 *   readonly id: string | null, readonly index: number, readonly fate: string, readonly tokens: number,
 *   readonly role: string, readonly text: string,
 * }} FateRow
 * @typedef {{ readonly rows: readonly FateRow[], readonly cutIndex: number, readonly headEnd: number }} Coverage
 */
