import type { CueSet } from './cue-set.ts'
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
}
