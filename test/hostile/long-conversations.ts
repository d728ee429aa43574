import type { ToldStep } from '../support/told.ts'

const many = <T>(count: number, each: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at))
const lines = (count: number, each: (at: number) => string): string => many(count, each).join('\n')

/** Conversations of so many steps, each of a kind that some part of the ledger holds against another. */
export const LONG_CONVERSATIONS: readonly (readonly [name: string, stepsOf: (steps: number) => ToldStep[]])[] = [
  [
    'failures before as many successes of other work',
    (steps) => [
      { user: 'Go.' },
      ...many(
        steps,
        (at): ToldStep => ({ run: `npx vitest run t${at}.test.ts`, output: `Error: ${at} is 4`, code: 1 }),
      ),
      ...many(steps, (at): ToldStep => ({ run: `npx vitest run u${at}.test.ts`, output: 'ok' })),
    ],
  ],
  [
    'plans before as many edits of other files',
    (steps) => [
      { user: 'Go.' },
      ...many(100, (at) => ({ says: lines(steps / 50, (each) => `Next I will edit src/g${at}x${each}.ts.`) })),
      ...many(steps, (at): ToldStep => ({ edit: `src/f${at}.ts` })),
    ],
  ],
  [
    'names before as many modified files',
    (steps) => [
      ...many(steps / 50, (at) => ({ user: lines(200, (each) => `some_name_${at}_${each}`) })),
      ...many(steps, (at): ToldStep => ({ edit: `src/f${at}.ts` })),
    ],
  ],
  [
    'steps of an earlier summary before as many edits',
    (steps) => [
      { user: `<summary>\n## Next Steps\n${lines(steps, (at) => `- edit src/g${at}.ts then`)}\n</summary>` },
      ...many(steps, (at): ToldStep => ({ edit: `src/f${at}.ts` })),
    ],
  ],
  ['entries of one list of rules', (steps) => [{ user: `Rules:\n${lines(steps, (at) => `- entry of word${at}`)}` }]],
  [
    'choices with their reasons',
    (steps) => [
      { user: 'Go.' },
      ...many(steps / 5, (at) => ({
        says: lines(10, (each) => `We use w${at}x${each} instead of y${at}z${each} here.`),
      })),
    ],
  ],
  [
    'rules and turns that lift others',
    (steps) => [
      ...many(10, (at) => ({ user: lines(12, (each) => `Never touch area${at}x${each}.`) })),
      ...many(steps / 5, (at) => ({ user: lines(100, (each) => `You may now touch zone${at}x${each} again.`) })),
    ],
  ],
  [
    'turns with an outcome each',
    (steps) => many(steps, (at): ToldStep[] => [{ user: `Do part ${at}.` }, { says: `Part ${at} is done.` }]).flat(),
  ],
]
