import type { Logger } from 'pino'
import type { PipelineObserver } from './pipeline-observer.ts'

/** The observer, with a line in the log for every hook that was ignored; its words hold no text of a conversation. */
export function logHookFaults(observer: PipelineObserver, log: Pick<Logger, 'warn'>): PipelineObserver {
  return {
    ...observer,
    hookFault(name, fault) {
      observer.hookFault(name, fault)
      log.warn({ hook: name, fault }, 'a hook was ignored')
    },
  }
}
