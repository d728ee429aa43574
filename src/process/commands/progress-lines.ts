import type { Emit, PipelineEvent } from '../../pipelines/pipeline-event.ts'

/** Tells on standard error what a pipeline does, where somebody watches; a pipe or a file gets nothing. */
export function progressLines(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): Emit | undefined {
  if (stream.isTTY !== true) return undefined
  return (event) => {
    const line = lineOf(event)
    if (line !== null) stream.write(`${line}\n`)
  }
}

function lineOf(event: PipelineEvent): string | null {
  switch (event.name) {
    case 'pruned':
      return event.data.count === 0 ? null : `pruned ${event.data.count} results, ${event.data.tokensSaved} tokens`
    case 'plan':
      return 'boundaries' in event.data
        ? `summarizing rows ${event.data.boundaries.start} to ${event.data.boundaries.end} of ${event.data.tokensBefore} tokens`
        : `summarizing ${event.data.tokens.history + event.data.tokens.turnPrefix} tokens, keeping ${event.data.tokens.kept}`
    case 'attempt':
      return `${event.data.kind ?? 'summary'}: ${event.data.model} ${event.data.outcome}, ${event.data.durationMs} ms`
    default:
      return null
  }
}
