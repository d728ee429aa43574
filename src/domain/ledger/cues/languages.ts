import { AR } from './ar.ts'
import type { CueSet } from './cue-set.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { HI } from './hi.ts'
import { IT } from './it.ts'
import { JA } from './ja.ts'
import { KO } from './ko.ts'
import { PT } from './pt.ts'
import { RU } from './ru.ts'
import { TR } from './tr.ts'
import { ZH } from './zh.ts'

/** Every language that cues are known in; a new one is a file beside these and a row here. */
export const LANGUAGES: readonly CueSet[] = [EN, ES, DE, FR, PT, IT, ZH, JA, KO, RU, TR, AR, HI]
