import type { CueSet } from './cue-set.ts'
import { phrases } from './phrases.ts'

export const PT: CueSet = {
  lead: phrases(`
    por favor | e | mas | também | além disso | ou | atenção | nota | importante | agora | lembre-se
  `),
  done: phrases(`
    feito | pronto | concluído | terminei | corrigi | corrigido | adicionei | criei | atualizei | implementei |
    removi | migrei | todos os testes passam | os testes passam | tudo funciona
  `),
  intent: phrases('vou | agora vou | vamos | deixe-me | a seguir vou | começo por'),
  decision: phrases(`
    decidi | decidimos | escolhi | escolhemos | optei por | optamos por | vamos usar | vou usar | usaremos |
    a decisão
  `),
  next: phrases(`
    depois | em seguida | a seguir | falta | faltam | resta | próximo passo | o próximo passo | pendente |
    por fazer
  `),
  labels: {
    decision: phrases('decisão | decisões'),
    next: phrases(`
      próximos passos | próximo passo | pendente | pendentes | pendências | a fazer | por fazer | falta
    `),
    blocked: phrases('bloqueado | bloqueios | bloqueio'),
    constraint: phrases('restrição | restrições | regra | regras | requisito | requisitos | importante'),
    done: phrases('feito | concluído | alterações | mudanças | resumo'),
  },
  trivial: phrases(`
    sim | não | obrigado | obrigada | continue | continua | segue | pode seguir | perfeito | ótimo | olá | oi |
    certo | beleza | isso
  `),
}
