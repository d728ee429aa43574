import { callOf } from '../../src/domain/conversation/call.ts'
import type { Conversation } from '../../src/domain/conversation/conversation.ts'
import { ConversationBuilder } from '../../src/domain/conversation/conversation-builder.ts'

/** What happens in a conversation told by hand, one step after the other. */
export type ToldStep =
  | { readonly user: string }
  | { readonly says: string }
  | { readonly run: string; readonly output?: string; readonly code?: number }
  | { readonly edit: string; readonly failed?: string }
  | {
      readonly tool: string
      readonly args: Readonly<Record<string, unknown>>
      readonly output: string
      readonly failed?: boolean
    }

/** The conversation value of such steps, made as the readers make it. */
export function told(...steps: readonly ToldStep[]): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'interrupted' })
  steps.forEach((step, at) => {
    const rows = [at]
    const call = (name: string, args: Readonly<Record<string, unknown>>, text: string, isError: boolean): void => {
      builder.assistant(rows, [callOf({ id: `c${at}`, name, arguments: args })])
      builder.result(rows, { callId: `c${at}`, text, isError })
    }
    if ('user' in step) builder.user(rows, [step.user])
    else if ('says' in step) builder.assistant(rows, [{ kind: 'words', text: step.says }])
    else if ('run' in step) {
      const { run, output = '', code = 0 } = step
      call('bash', { command: run }, code === 0 ? output : `${output}\n\nCommand exited with code ${code}`, code !== 0)
    } else if ('edit' in step)
      call(
        'edit',
        { path: step.edit },
        step.failed ?? `Successfully replaced text in ${step.edit}.`,
        step.failed !== undefined,
      )
    else call(step.tool, step.args, step.output, step.failed === true)
  })
  return builder.build()
}
