import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
import { phrases } from './phrases.ts'

export const DE: CueSet = {
  lead: phrases('bitte | und | aber | auch | außerdem | oder | wichtig | jetzt | achtung | nein | ja'),
  done: phrases(`
    fertig | erledigt | ich habe | wir haben | behoben | hinzugefügt | umgesetzt | erstellt | aktualisiert |
    entfernt | alle tests laufen | alle tests sind grün | die tests laufen | abgeschlossen
  `),
  intent: phrases(`
    ich werde | jetzt werde ich | als nächstes werde ich | ich schaue | lass mich | jetzt | ich fange | nun
  `),
  decision: phrases(`
    ich habe mich entschieden | wir haben uns entschieden | wir haben entschieden | ich habe entschieden |
    entschieden | wir nehmen | ich nehme | wir verwenden | ich verwende | die entscheidung
  `),
  next: phrases(`
    als nächstes | danach | anschließend | dann | noch offen | es fehlt | es fehlen | noch zu tun |
    der nächste schritt | nächster schritt | es bleibt
  `),
  labels: {
    decision: phrases('entscheidung | entscheidungen'),
    next: phrases(`
      nächste schritte | nächster schritt | offen | noch offen | offene punkte | zu tun | als nächstes
    `),
    blocked: phrases('blockiert | blocker'),
    constraint: phrases('vorgabe | vorgaben | regel | regeln | anforderung | anforderungen | wichtig | bedingungen'),
    done: phrases('erledigt | fertig | änderungen | zusammenfassung'),
  },
  trivial: phrases(`
    ja | nein | gut | danke | weiter | mach weiter | mach das | passt | super | hallo | los | ja bitte | genau |
    perfekt
  `),
  prohibition: words(
    'niemals|lass(?:t)? uns (?:\\p{L}{1,40} ){0,6}(?:nicht|kein\\p{L}{0,2})|keinesfalls|auf keinen fall|bitte (?:nicht|kein\\p{L}{0,2})|darf(?:st)? (?:\\p{L}{1,40} ){0,3}(?:nicht|kein\\p{L}{0,2})|dürfen (?:\\p{L}{1,40} ){0,3}(?:nicht|kein\\p{L}{0,2})|soll(?:st|en|te)? (?:\\p{L}{1,40} ){0,3}(?:nicht|kein\\p{L}{0,2})',
    'verboten|vermeide|ohne (?:\\p{L}{1,40} ){0,4}zu (?:ändern|verändern|berühren|verwenden)|(?:ändere|verwende|lösche|benutze|fasse?|mach|mache|nutze|schreibe|entferne|logge) (?:\\p{L}{1,40} ){0,5}(?:nicht|nie|kein\\p{L}{0,2})',
  ),
  obligation: words(
    'muss(?:t|en)?|müssen|müsst|immer|unbedingt|zwingend|stets|stelle? sicher|sorge dafür|achte darauf|verpflichtend|(?:verwende|nutze) nur',
  ),
  convention: words(
    '(?:projekt|farb|code|commit|branch|namens|team|stil|repo)-?(?:regeln?|konvention(?:en)?|vorgaben?|richtlinien?)',
  ),
  finding: words(
    'stellt sich heraus|ursache (?:ist|war)|das problem (?:ist|war|liegt)|gefunden|bestätigt|(?:lässt|ließ) sich nicht (?:reproduzieren|nachstellen)|nicht reproduzier(?:bar|en)',
  ),
  dismissal: words(
    '(?:schon|bereits) vorher (?:da|kaputt|vorhanden)|hat nichts (?:mit|damit) [^.!?\\n]{0,40}zu tun|nicht von (?:mir|uns|dieser änderung)|vorbestehend\\p{L}{0,2}',
  ),
  undo: words(
    'mach(?:e)? (?:das|es|den|die|alles) (?:\\p{L}{1,20} ){0,2}rückgängig|nimm (?:das|es|die|den) (?:\\p{L}{1,20} ){0,2}zurück|setz(?:e)? (?:das|es) (?:\\p{L}{1,20} ){0,2}zurück',
  ),
  lifting: words(
    '(?:darfst|kannst|dürft|könnt|dürfen|können) [^.!?\\n]{0,80}(?:wieder|jetzt|doch)|(?:gilt|gelten) nicht mehr|(?:ist|sind) (?:vorbei|aufgehoben|wieder erlaubt|nicht mehr (?:nötig|verboten))|nicht mehr (?:nötig|verboten|erforderlich)|vergiss die (?:regel|vorgabe)',
  ),
  choice: opening(
    'nein|falsch|das (?:ist|war|stimmt) (?:falsch|nicht)|nicht|nimm|nehmen wir|verwende|benutze|behalte|lass(?:t)? (?:es|das|uns|die|den)?|wir (?:nehmen|verwenden|behalten|bleiben|machen)|mach(?:e)?|lieber|stattdessen|nur|bleib(?:en wir)? bei|ich (?:will|möchte|meinte|bevorzuge)|die (?:erste|zweite|dritte|andere)|beide|option \\S{1,40}|ja[,.] aber|setz',
  ),
  reason: words(
    'statt|anstatt|anstelle|anstatt dessen|entschieden|damit|weil wir|habe(?:n)? [^.!?\\n]{1,100} (?:gewählt|behalten|genommen)|absichtlich|bewusst|, nicht (?:der|die|das|ein\\p{L}{0,2}|im|in|nur) |die lösung (?:ist|war)',
  ),
}
