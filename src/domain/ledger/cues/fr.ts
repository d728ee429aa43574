import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
import { phrases } from './phrases.ts'

export const FR: CueSet = {
  lead: phrases(`
    s'il te plaît | s'il vous plaît | stp | svp | et | mais | aussi | ou | attention | important | note |
    maintenant
  `),
  done: phrases(`
    j'ai | nous avons | terminé | fait | c'est fait | corrigé | ajouté | créé | mis à jour | supprimé |
    implémenté | tous les tests passent | les tests passent | tout fonctionne
  `),
  intent: phrases(`
    je vais | je commence | maintenant | maintenant je vais | ensuite je vais | laisse-moi | laissez-moi |
    passons à
  `),
  decision: phrases(`
    j'ai décidé | nous avons décidé | on a décidé | j'ai choisi | nous avons choisi | on utilise |
    nous utiliserons | je vais utiliser | on va utiliser | la décision
  `),
  next: phrases(`
    ensuite | puis | après | il reste | reste à | à faire | prochaine étape | la prochaine étape |
    étape suivante
  `),
  labels: {
    decision: phrases('décision | décisions'),
    next: phrases('prochaines étapes | prochaine étape | étapes suivantes | à faire | reste à faire | suite'),
    blocked: phrases('bloqué | bloqués | blocages | blocage'),
    constraint: phrases('contrainte | contraintes | règle | règles | exigence | exigences | important'),
    done: phrases('fait | terminé | changements | modifications | résumé'),
  },
  trivial: phrases(`
    oui | non | d'accord | merci | continue | continuez | vas-y | parfait | bien | super | bonjour | salut |
    oui vas-y | allez
  `),
  prohibition: words(
    "(?<!\\b(?:je|ça|cela|elles?|ils?|on|qui)\\s)(?:ne |n['’])(?:\\p{L}{1,40} ){1,3}(?:pas|jamais|plus|aucune?)|ne (?:pas|jamais) \\p{L}{1,40}|il ne faut (?:pas|jamais)|jamais|interdit[es]{0,2}|évite[rz]?",
    'sans (?:toucher|changer|modifier|casser|utiliser)|en aucun cas',
  ),
  obligation: words(
    'il faut|tu dois|vous devez|doit|doivent|toujours|assure-toi|assurez-vous|veille[rz]? à|obligatoires?|impérativement|uniquement',
  ),
  convention: words(
    "(?:conventions?|règles?) (?:de|du|des) (?:projet|dépôt|code|couleurs?|commits?|nommage|branches?|l['’]équipe)",
  ),
  finding: words(
    "il s['’]avère|la cause (?:est|était)|le problème (?:est|était|vient)|j['’]ai trouvé|confirmé|impossible de reproduire|ne (?:peux|parviens) pas (?:à )?reproduire",
  ),
  dismissal: words('préexistante?s?|sans (?:rapport|lien) avec|échouai(?:t|ent) déjà'),
  undo: words('annule (?:ça|cela|le|la|les|tout)|reviens en arrière|remets (?:ça|le|la) comme'),
  lifting: words(
    '(?:tu peux|vous pouvez|on peut) (?:maintenant|désormais|à nouveau|de nouveau)|(?:peux|pouvez) [^.!?\\n]{1,80} (?:à nouveau|de nouveau|maintenant)|n.est plus (?:interdit|nécessaire|obligatoire)|ne s.applique plus|(?:oublie|ignore) (?:la|cette) (?:règle|contrainte)',
  ),
  choice: opening(
    "non|faux|c['’]est faux|pas (?:ça|celui|la|le)|utilise[rz]?|prends|prenez|garde[rz]?|laisse[rz]?|on (?:garde|prend|utilise|va|reste)|plutôt|je (?:préfère|veux|voulais)|au lieu|seulement|uniquement|la (?:première|deuxième|troisième|dernière)|le (?:premier|deuxième|troisième|dernier)|les deux|option \\S{1,40}|oui,? mais|mets",
  ),
  reason: words(
    "au lieu d[eu]|plutôt que|afin (?:que|de)|pour que|j['’]ai (?:choisi|décidé|opté|gardé|préféré)|nous avons (?:choisi|décidé|opté)|, (?:et )?(?:non|pas) (?:un|une|le|la|dans|seulement) |la solution (?:est|était)|volontairement|exprès",
  ),
}
