import { type BranchSummaryResult, branchSummaryRequest } from '../../src/pipelines/branch/branch-schema.ts'
import { branchSummary } from '../../src/pipelines/branch/branch-summary.ts'
import type { CallContext } from '../../src/pipelines/pipeline-context.ts'
import { parseRequest } from '../../src/requests/parse-request.ts'
import { CONTEXT, type World } from './pipeline-world.ts'
import { SessionBuilder, text } from './session-builder.ts'

/** One navigation in a world, as POST /branch-summary would run it; events go on the world's record. */
export async function navigate(
  world: Pick<World, 'deps' | 'events'>,
  body: object,
  {
    signal = new AbortController().signal,
    context = {},
  }: { signal?: AbortSignal; context?: Partial<CallContext> } = {},
): Promise<BranchSummaryResult> {
  const request = parseRequest(branchSummaryRequest, body)
  return branchSummary(
    {
      request,
      context: { ...CONTEXT, ...context },
      deps: world.deps,
      emit: ({ name, data }) => world.events.push([name, { ...data }]),
    },
    signal,
  )
}

/** A - B, then C - D (the old leaf) on one side, E (a user message) - F on the other. */
export function fork(mark = 'left') {
  const builder = new SessionBuilder()
  const [a, b] = [builder.user('root ask'), builder.assistant('root answer')]
  const [c, d] = [builder.user(`${mark} ask`), builder.assistant(text(300, `${mark} answer`))]
  builder.at(b)
  const [e, f] = [builder.user('other ask'), builder.assistant('other answer')]
  return { builder, entries: builder.rows, a, b, c, d, e, f }
}
