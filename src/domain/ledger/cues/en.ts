import type { CueSet } from './cue-set.ts'
import { phrases } from './phrases.ts'

/** What an assistant has done when it says so; "I've read" and "I've noticed" are not among them. */
const VERBS = phrases(`
  added | applied | built | changed | cleaned | committed | completed | converted | copied | created | deleted |
  deployed | documented | dropped | enabled | extended | extracted | finished | fixed | implemented | improved |
  installed | integrated | made | merged | migrated | moved | ported | pushed | refactored | released | removed |
  renamed | replaced | resolved | restored | reverted | rewrote | rewritten | set | simplified | split | switched |
  updated | upgraded | verified | wrote | written
`)

export const EN: CueSet = {
  lead: phrases(`
    please | and | but | also | so | or | then | again | note | remember | important | ok | okay | no | yes |
    now | actually | just
  `),
  subjects: phrases("i | i've | i have | we | we've | we have | i've also | i've just | i've now"),
  done: [
    ...VERBS,
    ...phrases(`
      done | all done | all set | all tests pass | all tests are passing | all checks pass | tests pass |
      the tests pass | everything passes | everything works | successfully | it works | works now | changes made
    `),
  ],
  intent: phrases(`
    i'll | i will | i'm going to | i am going to | let me | now i'll | now i will | now let me | let's |
    i'm now | next i will | next i'll | next, i'll | i need to | now i need to | working on | i am now
  `),
  decision: phrases(`
    i decided | we decided | i chose | we chose | i have decided | i've decided | i picked | we picked |
    i opted | we opted | we'll use | we will use | i'll use | i will use | let's use | let's go with |
    going with | i'll go with | we go with | we're going with | switching to | settled on | the decision |
    i'd go with | i went with | we agreed
  `),
  next: phrases(`
    next | next step | then i | then i'll | then we | todo | to do | remaining | still to do | still need to | still needs |
    what remains | what is left | what's left | afterwards | after that | now we need to | we still need |
    it remains
  `),
  labels: {
    decision: phrases(`
      decision | decisions | key decisions | decided | design decision | design decisions | chosen approach
    `),
    next: phrases(`
      next | next step | next steps | todo | todos | to do | remaining | remaining work | remaining tasks |
      follow-up | follow-ups | still open | open items | action items | what remains | what's left |
      suggested next steps | recommended next steps | left to do
    `),
    blocked: phrases('blocked | blocker | blockers | blocked by | blocked on'),
    constraint: phrases(`
      constraint | constraints | rule | rules | requirement | requirements | important | restrictions
    `),
    done: phrases(`
      done | completed | changes | changes made | what changed | summary | summary of changes | what i did |
      fixed | finished | implemented
    `),
  },
  trivial: phrases(`
    ok | okay | k | yes | y | yep | yeah | no | n | nope | sure | thanks | thank you | thx | continue | go on |
    go | go ahead | proceed | next | done | good | great | nice | perfect | cool | hi | hello | hey | do it |
    yes please | please continue | keep going | resume | ls | pwd | clear | exit | quit | test | lgtm | looks good | ok go |
    ok do it | yes do it | stop | wait | try again | retry | again | continue if you have next steps
  `),
}
