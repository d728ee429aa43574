import { setImmediate as turn } from 'node:timers/promises'

/**
 * Lets what has arrived meanwhile be answered, between two steps of tens of milliseconds each. One turn only ends this
 * round of the event loop; the second comes after its next look at the sockets.
 */
export async function letOthers(): Promise<void> {
  await turn()
  await turn()
}

/** Such turns one after the other, for long steps that begin at once: each is its own. */
export function turnsForOthers(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(letOthers)
    return last
  }
}
