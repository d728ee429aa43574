import { ConfigError } from '../../config/config-error.ts'
import { RecapdError } from '../../domain/errors.ts'
import { secretMasker } from '../../domain/text/mask-secrets.ts'

/** What is read at a start (prompts, hooks) throws faults of its own; they are shown like those of the configuration. */
export async function asConfigFaults<Result>(
  start: () => Promise<Result>,
  secrets: readonly string[] = [],
): Promise<Result> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof RecapdError && error.extras.errors !== undefined) {
      // A hook file writes its own messages, and it can read our secrets.
      const mask = secretMasker(secrets)
      throw new ConfigError(error.extras.errors.map(({ path, message }) => ({ path, message: mask(message) })))
    }
    throw error
  }
}
