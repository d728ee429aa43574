import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
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
  prohibition: words(
    `nunca|jamais|não (?:me |o |a |os |as |se )?(?:altere|mude|use|apague|quebre|crie|adicione|modifique|deixe|toque|esqueça|faça|mexa|remova|escreva|exclua|inclua|envie|commite)m?|não (?:deve[ms]?|pode[ms]? (?:usar|mudar|alterar))|proibid[oa]s?|evite[ms]?|evitar`,
    'sem (?:tocar|mudar|alterar|quebrar|usar)|(?:é melhor não|não vamos (?:mexer|mudar|alterar|usar|tocar|pular|tirar|supor|assumir|fazer|misturar|adicionar))|vamos evitar|de (?:jeito nenhum|forma alguma)',
  ),
  obligation: words(
    'deve[ms]?|deverá|tem que|têm que|tem de|sempre|obrigatóri[oa]s?|certifique-se|garanta|é (?:preciso|necessário|obrigatório)|use (?:só|somente|apenas)',
  ),
  convention: words(
    '(?:convenç(?:ão|ões)|regras?|normas?) (?:de|do|dos|das) (?:projeto|repositório|código|cor(?:es)?|commits?|nomes?|branches?|equipe)',
  ),
  finding: words(
    'acontece que|a causa (?:é|era)|o problema (?:é|era|está)|encontrei|confirmado|não (?:consigo|consegui|pude) reproduzir',
  ),
  dismissal: words('pré-?existentes?|não (?:está |estão )?relacionad[oa]s? (?:a|com)|já falhava[m]? antes'),
  undo: words('desfaz|desfaça|reverte|reverta|volta atrás|volte atrás'),
  lifting: words(
    '(?:já|agora) (?:pode[ms]?|podemos)|pode[ms]? [^.!?\\n]{1,80} (?:de novo|novamente|agora)|não (?:é|está) mais (?:necessário|proibido|preciso)|(?:esqueça|ignore) (?:a|essa) (?:regra|restrição)',
  ),
  choice: opening(
    'não|errado|isso (?:não|está errado)|use|usa|usemos|pegue|mantenha|mantém|deixe|deixa|fique com|vamos (?:com|de|usar|manter)|melhor|prefiro|quero|em vez de|só|apenas|somente|a (?:primeira|segunda|terceira|outra|opção)|o (?:primeiro|segundo|terceiro|outro)|ambos|ambas|opção \\S{1,40}|sim,? mas|coloque',
  ),
  reason: words(
    'em vez d[eoa]|ao invés d[eoa]|para que|decid(?:i|imos|ido)|escolh(?:i|emos|ido)|opt(?:ei|amos|ado) por|de propósito',
  ),
}
