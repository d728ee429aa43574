import { setImmediate as turn } from 'node:timers/promises'

/**
 * Lets what has arrived meanwhile be answered, between two steps of tens of milliseconds each. One turn only ends this
 * round of the event loop; the second comes after its next look at the sockets.
 */
export async function letOthers(): Promise<void> {
  await turn()
  await turn()
}
