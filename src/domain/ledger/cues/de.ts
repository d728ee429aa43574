import type { CueSet } from './cue-set.ts'
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
}
