import type { ErrorCode, ErrorExtras } from '../../domain/errors.ts'

/** The body of every failure: RFC 9457 and OpenAI's error shape in one. */
export interface Problem extends Omit<ErrorExtras, 'cause' | 'allow'> {
  readonly detail: string
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly type: string
  readonly instance: string
  readonly retryable: boolean
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string
    readonly param: string | null
  }
}
