import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
import { phrases } from './phrases.ts'

export const IT: CueSet = {
  lead: phrases('per favore | e | ma | anche | inoltre | o | attenzione | nota | importante | ora | ricorda'),
  done: phrases(`
    fatto | pronto | completato | ho corretto | corretto | ho aggiunto | ho creato | ho aggiornato | ho implementato |
    ho rimosso | tutti i test passano | i test passano | tutto funziona
  `),
  intent: phrases('ora | adesso | vado a | procedo a | comincio da | inizio da | fammi | poi'),
  decision: phrases(
    'ho deciso | abbiamo deciso | ho scelto | abbiamo scelto | usiamo | useremo | userò | la decisione',
  ),
  next: phrases(
    'poi | dopo | in seguito | manca | mancano | resta | restano | prossimo passo | il prossimo passo | da fare',
  ),
  labels: {
    decision: phrases('decisione | decisioni'),
    next: phrases('prossimi passi | prossimo passo | da fare | rimanente | resta da fare'),
    blocked: phrases('bloccato | blocchi | blocco'),
    constraint: phrases('vincolo | vincoli | regola | regole | requisito | requisiti | importante'),
    done: phrases('fatto | completato | modifiche | cambiamenti | riepilogo'),
  },
  trivial: phrases(
    'sì | si | no | ok | va bene | grazie | continua | vai | avanti | perfetto | ottimo | ciao | certo | fallo',
  ),
  prohibition: words(
    '(?<!\\b(?:io|lui|lei|che)\\s)mai|non (?:devi|dovete|deve|devono|si deve|puoi|modificare|toccare|cambiare|usare|eliminare|cancellare|aggiungere|creare|rimuovere|scrivere|fare|spostare|rinominare|pubblicare|inviare|toccate|modificate|usate|cambiate)|vietat[oaie]|evita(?:re|te)?|senza (?:toccare|cambiare|modificare|rompere|usare|aggiungere)|non (?:saltiamo|facciamo|tocchiamo|usiamo|cambiamo|modifichiamo|aggiungiamo|corriamo|mettiamo|tiriamo)|in nessun caso|per nessun motivo',
  ),
  obligation: words(
    'dev[ei]|devono|dovete|dovrà|sempre|obbligatori[oaie]|assicurati|assicuratevi|bisogna|è (?:necessario|obbligatorio)|usa solo|solo (?:usa|con)|mantieni',
  ),
  convention: words(
    '(?:convenzion[ei]|regol[ae]) (?:di|del|dei|della) (?:progetto|repository|repo|codice|colori?|commit|nomi|branch|squadra)',
  ),
  finding: words(
    'si scopre che|la causa (?:è|era)|il problema (?:è|era|sta)|ho trovato|confermato|non (?:riesco a|posso) riprodurre',
  ),
  dismissal: words('preesistent[ei]|non (?:è |sono )?(?:legat|correlat)[oaie] a|falliva(?:no)? già'),
  undo: words('annulla(?:lo)?|ripristina(?:lo)?|torna indietro|rimetti(?:lo)? come'),
  lifting: words(
    '(?:ora|adesso|ormai) (?:puoi|potete|si può|possiamo)|puoi [^.!?\\n]{1,80} (?:di nuovo|ora|adesso)|non (?:è|serve) più (?:vietato|necessario|obbligatorio)?|(?:dimentica|ignora) (?:la|quella) (?:regola|restrizione)',
  ),
  choice: opening(
    'no|sbagliato|non (?:così|quello|questo)|usa|usiamo|prendi|prendiamo|tieni|mantieni|lascia|andiamo con|meglio|preferisco|voglio|invece|solo|soltanto|la (?:prima|seconda|terza|altra)|il (?:primo|secondo|terzo)|entrambi|entrambe|opzione \\S{1,40}|sì,? ma|metti',
  ),
  reason: words(
    'invece di|anziché|piuttosto che|affinché|ho (?:deciso|scelto|optato|tenuto)|abbiamo (?:deciso|scelto|optato)|perché così|apposta',
  ),
}
