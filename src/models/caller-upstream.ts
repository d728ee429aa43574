/** The provider a proxied request was meant for. */
export interface CallerUpstream {
  /** Everything in the caller's own request that may be a credential: no log may repeat it. */
  readonly secrets: readonly string[]
  /** Null for a success that cannot be read. Rejects with ResponseError where the answer was no success, else with the connection's error. */
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
