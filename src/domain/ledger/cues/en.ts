import type { CueSet } from './cue-set.ts'
import { CLAUSE, END, opening, words } from './edges.ts'
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
    it remains | later | later on
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
    please | yes please | please continue | keep going | resume | ls | pwd | clear | exit | quit | test | lgtm | looks good | ok go |
    ok do it | yes do it | stop | wait | try again | retry | again | continue if you have next steps
  `),
  // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
  prohibition: new RegExp(
    `${CLAUSE}(?:(?:do not|don['’]?t)(?! (?:we|you|they|i|the|have to|need to|think|know|see|understand|worry)\\b)|never(?! mind\\b))${END}|${
      words(
        "(?:should|must|may|can|will) never|must ?n['’]?o?t|you may not|should not|shouldn['’]t(?! (?:it|we|they|the|this|that|you|there)\\b)|(?:is|are) not allowed|forbidden",
        'under no circumstances|no new dependenc(?:y|ies)|without (?:touching|changing|breaking|modifying|adding|using)|avoid(?!ed|s)|(?:is|are|stays?) off[- ]limits|hands off',
        "(?:let['’]?s|let us) (?:please )?not",
        'leave [^.!?\\n]{1,60} (?:alone|untouched|as (?:it is|they are|is))',
      ).source
    }`,
    'iu',
  ),
  obligation: words(
    '(?<!\\b(?:he|she|they|there)\\s)must(?! have\\b)|has to|(?<!\\b(?:i|we|they|will|would|might|may|could|dont)\\s)have to(?! go\\b)|required to|mandatory|make sure|be sure to|(?<!\\b(?:to|will|would|should|that|which|it|this)\\s)ensure|hard rule',
    '(?<!\\b(?:i|it|they|he|she|has|have)\\s)always|at (?:most|least) \\d|no more than \\d|only (?:ever )?use|use only|stick to|only (?:when|if|after) i (?:say|ask|tell|approve)|from now on',
  ),
  convention: words(
    "(?:project|repo(?:sitory)?|codebase|house|team|coding|colou?r|naming|commit|branch(?:ing)?|style) (?:rules?|conventions?|guidelines?)|this (?:project|repo(?:sitory)?|codebase)['’]s (?:rules?|conventions?)",
  ),
  finding: words(
    "raised a valid|turns out|root cause|the (?:problem|issue|bug|cause|culprit|reason)(?: here)? (?:is|was)|i (?:found|can(?:['’]t| ?not) reproduce)|(?:can(?:['’]t|not)|could(?: not|n['’]t)|unable to|does(?: not|n['’]t)) (?:be )?reproduced?|confirmed|verified|works now|(?:all|\\d{1,6}) tests? (?:pass|passed|are green)|(?:was|were|is|are) (?:created|opened|merged|pushed|resolved|restored|reverted|deployed|published)|(?:created|opened|merged|pushed|resolved|restored|reverted|deployed|published):",
  ),
  dismissal: words(
    'pre-?existing|unrelated|not (?:related|caused by|introduced by|due) (?:to )?(?:my|our|this|these)|already (?:fails|failed|failing|broken) (?:on|before|without)|nothing new from|(?:can be|safe to) ignored?',
  ),
  undo: words(
    'undo (?:that|this|it|these|those|the|your|all)|revert (?:that|this|it|these|those|your|all|the (?:last|change))|roll (?:it|that|this) back|take (?:it|that|this) back out|back (?:it|that|this) out|put it back (?:as|how|the way)',
  ),
  lifting: words(
    "(?:you|we) (?:may|can) (?:now |again )|(?:you|we) (?:may|can) [^.!?\\n]{1,80} (?:again|now)|no longer (?:need|have|necessary|required|applies|forbidden|off limits)|(?:is|are) (?:over|lifted|allowed again|fine again|ok again|okay now|allowed now)|(?:forget|ignore|drop|lift|scrap) (?:the|that|this|my) (?:rule|constraint|restriction|requirement|ban|freeze)|feel free to|not (?:a rule|forbidden|required|needed) any ?more|does ?n[o\u2019']t apply any ?more|now (?:you|we) (?:may|can)|from now on (?:you|we) (?:may|can)|never ?mind (?:the|that|about)",
  ),
  choice: opening(
    "no[,.;:!]|no (?:don['’]?t|not|keep|use|leave|just|we|you|i|it|that)|nope|nah|wrong|that(?:['’]s| is| was) (?:wrong|not|incorrect|fine|good)|not (?:that|this|what|like|quite|yet|the|a)|i (?:said|meant|prefer|want(?:ed)?|don['’]?t (?:want|like|think)|do not (?:want|like)|decided|choose|chose|like|think we should|would (?:rather|prefer|like))|i['’]d (?:rather|prefer|like)",
    "use|take|keep|leave|drop|skip|prefer|pick|choose|stick (?:with|to)|go (?:with|for)|let['’]?s|let us|make it|call it|name it|we(?:['’]ll| will| should| want| don['’]?t| need)|don['’]?t|do not|only|just|instead|rather|actually|option [a-z0-9]|(?:the )?(?:first|second|third|last|former|latter|other|left|right)(?: one| option| variant)?|both|neither|[a-d1-9][.):]?$|yes[,.;!]? (?:but|and|with|use|only|please|do|keep|go)|ok(?:ay)?[,.;!]? (?:but|use|keep|let|then|so)|stop|revert|undo|lock in|rename (?:it |this |that |them )?to|put (?:it|this|that|them|all)|move (?:it|this|that|them|all|everything) (?:to|into)|set (?:it|this|that)|no \\p{L}{3,30}(?: \\p{L}{3,30})?[!]|it should|this should|they should|should be|you (?:should|forgot|missed|need|must)",
  ),
  reason: words(
    "instead of|rather than|so that|(?:i|we) (?:decided|chose|opted|picked|settled|went|agreed|kept|dropped|prefer(?:red)?|switched)|(?:i|we)['’](?:ve|ll) (?:decided|chosen|opted|picked|kept|gone with|go with|use|keep)|decided (?:to|on|against|not to)|chose (?:to|the|a|an|not)|went with|going with|opted (?:for|to)|settled on|locked in|kept [^.!?\\n]{1,120} because|(?:use|used|using|keep|keeping|left|leave|removed|dropped|avoid(?:ed)?) [^.!?\\n]{1,120} (?:because|since|, as )|in favou?r of|over the alternative|the (?:trade-?off|reason)(?: here)? is|the (?:fix|solution|approach|workaround|plan)(?: here)?(?: is|: | was) (?:simple: |still the same: |now |simply |just )?(?:to|that|preserve|replace|use|keep|make|add|move|remove|return|call|a|an|the|in)|, (?:and )?not (?:a|an|the|just|from|in|inside|via|with|per) |by design|on purpose|deliberately|intentionally",
  ),
}
