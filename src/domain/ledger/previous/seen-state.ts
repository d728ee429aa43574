import type { WorkState } from '../ledger-value.ts'

/** Branch, processes and pull request, as they were last seen. */
export function lastSeenState(state: string): Partial<WorkState> {
  const part = (name: string): string =>
    new RegExp(`(?:^|; )${name}:? ([^;]{1,300})`)
      .exec(state)?.[1]
      ?.replace(/ \(last seen\)$/, '')
      .trim() ?? ''
  const running = part('running')
  return { branch: part('branch'), pr: part('pull request'), running: running === '' ? [] : running.split(' | ') }
}
