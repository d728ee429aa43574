import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
import { phrases } from './phrases.ts'

export const ES: CueSet = {
  lead: phrases(`
    por favor | y | pero | también | además | o | ojo | nota | importante | recuerda | ahora | vale
  `),
  done: phrases(`
    hecho | listo | he | hemos | ya he | ya está | terminado | completado | arreglado | corregido | añadido |
    creado | actualizado | implementado | migrado | eliminado | se ha | se han | todas las pruebas pasan |
    las pruebas pasan | todo funciona
  `),
  intent: phrases(`
    voy a | ahora voy a | vamos a | ahora | a continuación | déjame | procedo a | revisaré | empiezo por |
    empezaré | ahora revisaré
  `),
  decision: phrases(`
    he decidido | hemos decidido | decidí | decidimos | elegí | elegimos | he elegido | opté por | optamos por |
    usaremos | usaré | vamos a usar | mejor usar | usamos | nos quedamos con | la decisión | se decidió |
    acordamos
  `),
  next: phrases(`
    después | luego | a continuación | falta | faltan | queda | quedan | pendiente | pendientes |
    siguiente paso | próximo paso | el siguiente paso | el próximo paso | por hacer
  `),
  labels: {
    decision: phrases('decisión | decisiones | decisiones clave | decidido'),
    next: phrases(`
      siguiente | siguientes | siguiente paso | siguientes pasos | próximos pasos | próximo paso | pendiente |
      pendientes | por hacer | falta | queda pendiente | tareas pendientes
    `),
    blocked: phrases('bloqueado | bloqueada | bloqueos | bloqueo'),
    constraint: phrases(`
      restricción | restricciones | regla | reglas | requisito | requisitos | importante | condiciones
    `),
    done: phrases('hecho | completado | cambios | cambios realizados | resumen | terminado'),
  },
  trivial: phrases(`
    sí | si | vale | de acuerdo | bien | gracias | continúa | continua | sigue | adelante | hazlo | perfecto |
    genial | hola | listo | claro | dale | ok sigue | sí por favor
  `),
  prohibition: words(
    `nunca|jamás|no (?:me |lo |la |los |las |se |le )?(?:(?:toqu|modifiqu|agregu|publiqu)e[sn]?|(?:cambi|us|borr|elimin|quit|olvid|dej|ejecut|instal|gener|mezcl|reinici|enví|renombr|refactoric|log)e[sn]?|(?:hag|romp|pong|añad|met|escrib|sub|incluy)a[sn]?)|no (?:debes?|deben|puedes? (?:usar|tocar|cambiar)|hay que)|prohibid[oa]s?`,
    'evita(?:r|d)?|sin (?:tocar|cambiar|romper|modificar|añadir|usar)|(?:mejor )?no (?:nos |lo |la )?(?:vayamos|saltemos|asumamos|toquemos|hagamos|usemos|cambiemos|metamos|mezclemos|saquemos|agreguemos|borremos)|ni se te ocurra|de ning[úu]n[ao]? (?:manera|modo)',
  ),
  obligation: words(
    'debes?|deben|deber[ía]{2}s?|tienes? que|tienen que|hay que|siempre|obligatori[oa]s?|asegúrate|asegúrese|es necesario|s[oó]lo (?:usa|utiliza|con)|usa s[oó]lo|mantén',
  ),
  convention: words(
    '(?:convenci[óo]n(?:es)?|reglas?|normas?) (?:de|del|de los) (?:proyecto|repositorio|repo|c[óo]digo|color(?:es)?|commits?|nombres|ramas?|equipo)',
  ),
  finding: words(
    'resulta que|la causa (?:es|era)|el problema (?:es|era|está)|encontré|confirmado|no (?:puedo|pude|se puede|logro) reproducir',
  ),
  dismissal: words('preexistentes?|no (?:está )?relacionad[oa]s? con|ya fallaba[n]? antes'),
  undo: words('deshaz(?:lo)?|revierte(?:lo)?|vuelve atrás|quita eso'),
  lifting: words(
    '(?:ya|ahora) (?:puedes?|se puede|podemos)|puedes? [^.!?\\n]{1,80} (?:de nuevo|otra vez|ya)|ya no (?:hace falta|es necesario|aplica|está prohibido)|(?:olvida|ignora) (?:la|esa) (?:regla|restricción)',
  ),
  choice: opening(
    'no|mal|eso (?:no|está mal)|usa|usemos|toma|mantén|deja|quédate con|vamos (?:a|con)|mejor|prefiero|quiero|en (?:vez|lugar) de|solo|sólo|la (?:primera|segunda|tercera|otra|opción)|el (?:primero|segundo|tercero|otro)|ambos|ambas|opción \\S{1,40}|sí,? pero|ponle|pon',
  ),
  reason: words(
    'en (?:vez|lugar) de|para que|decid(?:í|imos|ido)|eleg(?:í|imos|ido)|opt(?:é|amos|ado) por|porque (?:así|si no)|, no (?:un|una|el|la|en|solo) |la solución (?:es|fue)|a propósito',
  ),
}
