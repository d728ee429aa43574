import { ConfigError } from '../../config/load-config.ts'
import { RecapdError } from '../../domain/errors.ts'

/** What is read at a start (prompts, hooks) throws faults of its own; the operator mends them like those of the configuration. */
export async function asConfigFaults<Result>(start: () => Promise<Result>): Promise<Result> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof RecapdError && error.extras.errors !== undefined) throw new ConfigError(error.extras.errors)
    throw error
  }
}
