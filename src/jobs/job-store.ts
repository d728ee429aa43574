import type { FinalStatus, JobEnd, JobEvent, JobProgress, JobRecord, JobTask } from './job.ts'

/** Who holds an Idempotency-Key. */
export interface Claim {
  readonly id: string
  /** SHA-256 of the request it was first sent with. */
  readonly digest: string
}

/** `running`: by somebody else, who is alive; `over`: nothing is to be done. */
export type Begin = 'begun' | 'running' | 'over'

/** What is remembered of jobs. Two implementations: this process, and Redis for all replicas. Only `read` and `end` throw:
 * `overloaded`, where they cannot know. */
export interface JobStore {
  /** A job that is there stays as it is. */
  create(record: JobRecord, task: JobTask): Promise<void>
  read(id: string): Promise<JobRecord | undefined>
  /** Undefined when the job is over or forgotten. */
  task(id: string): Promise<JobTask | undefined>
  end(id: string): Promise<JobEnd | undefined>
  /** `isAgain`: it ran and its replica died; its events start over. */
  begin(id: string, startedAt: number, isAgain: boolean): Promise<Begin>
  note(id: string, progress: JobProgress, events: readonly JobEvent[]): Promise<void>
  /** All events from the one at `index` on. */
  events(id: string, index: number): Promise<readonly JobEvent[]>
  /** False when it was over already: only one end counts. */
  finish(id: string, end: JobFinish): Promise<boolean>
  /** The claim that holds, ours or an earlier one. */
  claim(name: string, claim: Claim): Promise<Claim>
  /** Frees the name, where the claim is that job's. */
  forget(name: string, id: string): Promise<void>
  /** Runs at every change of the job, wherever it happened; returns how to stop that. */
  onChange(id: string, listener: () => void): () => void
  close(): Promise<void>
}

export interface JobFinish {
  readonly status: FinalStatus
  readonly end?: JobEnd | undefined
  readonly finishedAt: number
}
