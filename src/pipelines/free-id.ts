import type { Session } from '../domain/session/session.ts'
import type { PipelineDeps } from './pipeline-context.ts'

/** Eight hex digits that no entry of the session has. */
export function freeId({ byId }: Session, { newId }: Pick<PipelineDeps, 'newId'>): string {
  for (;;) {
    const id = newId()
    if (!byId.has(id)) return id
  }
}
