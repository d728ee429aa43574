import type { CueSet } from './cue-set.ts'
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
}
