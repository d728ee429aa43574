export interface ServerEvent {
  /** `message` where the stream gives no name, `comment` for a comment line. */
  readonly event: string
  readonly data: string
}

/** The events of a server-sent stream, comments included, in order. */
export function readEvents(text: string): ServerEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '')
    if (lines.length === 0) return []
    const comment = lines.find((line) => line.startsWith(':'))
    if (comment !== undefined) return [{ event: 'comment', data: comment.slice(1).trim() }]
    const name = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length)
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
    return [{ event: name ?? 'message', data: data.join('\n') }]
  })
}
