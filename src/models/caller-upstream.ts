/** The provider a proxied request was meant for. */
export interface CallerUpstream {
  /** Whatever of the caller's own request may be a credential: no log may repeat it. */
  readonly secrets: readonly string[]
  /** Null for a success that nobody can read. Rejects with ResponseError where it answered no success, else with what the connection says. */
  ask(question: CallerQuestion, signal: AbortSignal): Promise<CallerReply | null>
}

export interface CallerQuestion {
  readonly model: string
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
}

export interface CallerReply {
  readonly text: string
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** The answer was cut at its token cap. */
  readonly isCut: boolean
}
