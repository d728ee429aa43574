interface CueRow {
  readonly language: string
  readonly prohibition: RegExp
  readonly obligation: RegExp
}

// JavaScript's \b knows ASCII letters only, so word edges are spelled out for every script.
// Dots, slashes and hyphens bind too: `pi.deve` and `use-only.ts` are names.
export const START = '(?<![\\p{L}\\p{N}_./-])'
export const END = '(?![\\p{L}\\p{N}_/-])'
const words = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`${START}(?:${alternatives.join('|')})${END}`, 'iu')
const signs = (...alternatives: readonly string[]): RegExp => new RegExp(alternatives.join('|'), 'u')

// An order stands at the start of a clause; "the tests don't pass" is a report.
export const CLAUSE =
  '(?:^[^\\p{L}\\p{N}]{0,12}|[,;:.(–—]\\s{0,4}|\\b(?:and|but|please|so|also|just|then|or|to)\\s{1,4})'

const ES_VERBS =
  '(?:(?:toqu|modifiqu|agregu|publiqu)e[sn]?|(?:cambi|us|borr|elimin|quit|olvid|dej|ejecut|instal|gener|mezcl|reinici|enví|renombr|refactoric|log)e[sn]?|(?:hag|romp|pong|añad|met|escrib|sub|incluy)a[sn]?)'
const PT_VERBS =
  '(?:altere|mude|use|apague|quebre|crie|adicione|modifique|deixe|toque|esqueça|faça|mexa|remova|escreva|exclua|inclua|envie|commite)m?'

/**
 * Cues of prohibition and obligation by language (session-compaction §7.4, models.md §7). A pronoun before the verb makes
 * it a report ("it never works", "it must have failed"), which is why some rows look back one word.
 */
export const CONSTRAINT_CUES: readonly CueRow[] = [
  {
    language: 'en',
    prohibition: new RegExp(
      `${CLAUSE}(?:(?:do not|don['’]?t)(?! (?:we|you|they|i|the|have to|need to|think|know|see|understand)\\b)|never(?! mind\\b))${END}|${
        words(
          "(?:should|must|may|can|will) never|must ?n['’]?o?t|you may not|should not|shouldn['’]t(?! (?:it|we|they|the|this|that|you|there)\\b)|not allowed|forbidden",
          'under no circumstances|no new dependenc(?:y|ies)|without (?:touching|changing|breaking|modifying|adding|using)|avoid(?!ed|s)',
          'leave [^.!?\\n]{1,60} (?:alone|untouched|as (?:it is|they are|is))',
        ).source
      }`,
      'iu',
    ),
    obligation: words(
      '(?<!\\b(?:he|she|they|there)\\s)must(?! have\\b)|has to|(?<!\\b(?:i|we|they|will|would|might|may|could|dont)\\s)have to(?! go\\b)|required to|mandatory|make sure|be sure to|ensure',
      '(?<!\\b(?:i|it|they|he|she|has|have)\\s)always|at (?:most|least) \\d|no more than \\d|only use|use only|stick to',
    ),
  },
  {
    language: 'es',
    prohibition: words(
      `nunca|jamás|no (?:me |lo |la |los |las |se |le )?${ES_VERBS}|no (?:debes?|deben|puedes? (?:usar|tocar|cambiar)|hay que)|prohibid[oa]s?`,
      'evita(?:r|d)?|sin (?:tocar|cambiar|romper|modificar|añadir|usar)|ni se te ocurra|de ning[úu]n[ao]? (?:manera|modo)',
    ),
    obligation: words(
      'debes?|deben|deber[ía]{2}s?|tienes? que|tienen que|hay que|siempre|obligatori[oa]s?|asegúrate|asegúrese|es necesario|s[oó]lo (?:usa|utiliza|con)|usa s[oó]lo|mantén',
    ),
  },
  {
    language: 'de',
    prohibition: words(
      'niemals|keinesfalls|auf keinen fall|bitte (?:nicht|kein\\p{L}{0,2})|darf(?:st)? (?:\\p{L}+ ){0,3}(?:nicht|kein\\p{L}{0,2})|dürfen (?:\\p{L}+ ){0,3}(?:nicht|kein\\p{L}{0,2})|soll(?:st|en|te)? (?:\\p{L}+ ){0,3}(?:nicht|kein\\p{L}{0,2})',
      'verboten|vermeide|ohne (?:\\p{L}+ ){0,4}zu (?:ändern|verändern|berühren|verwenden)|(?:ändere|verwende|lösche|benutze|fasse?|mach|mache|nutze|schreibe|entferne|logge) (?:\\p{L}+ ){0,5}(?:nicht|nie|kein\\p{L}{0,2})',
    ),
    obligation: words(
      'muss(?:t|en)?|müssen|müsst|immer|unbedingt|zwingend|stets|stelle? sicher|sorge dafür|achte darauf|verpflichtend|(?:verwende|nutze) nur',
    ),
  },
  {
    language: 'fr',
    prohibition: words(
      "(?<!\\b(?:je|ça|cela|elles?|ils?|on|qui)\\s)(?:ne |n['’])(?:\\p{L}+ ){1,3}(?:pas|jamais|plus|aucune?)|ne (?:pas|jamais) \\p{L}+|il ne faut (?:pas|jamais)|jamais|interdit[es]{0,2}|évite[rz]?",
      'sans (?:toucher|changer|modifier|casser|utiliser)|en aucun cas',
    ),
    obligation: words(
      'il faut|tu dois|vous devez|doit|doivent|toujours|assure-toi|assurez-vous|veille[rz]? à|obligatoires?|impérativement|uniquement',
    ),
  },
  {
    language: 'pt',
    prohibition: words(
      `nunca|jamais|não (?:me |o |a |os |as |se )?${PT_VERBS}|não (?:deve[ms]?|pode[ms]? (?:usar|mudar|alterar))|proibid[oa]s?|evite[ms]?|evitar`,
      'sem (?:tocar|mudar|alterar|quebrar|usar)|de (?:jeito nenhum|forma alguma)',
    ),
    obligation: words(
      'deve[ms]?|deverá|tem que|têm que|tem de|sempre|obrigatóri[oa]s?|certifique-se|garanta|é (?:preciso|necessário|obrigatório)|use (?:só|somente|apenas)',
    ),
  },
  {
    language: 'zh',
    prohibition: signs(
      '不要',
      '不能',
      '不得',
      '不可',
      '不许',
      '不許',
      '不准',
      '禁止',
      '切勿',
      '请勿',
      '請勿',
      '[千万萬]别',
      '(?:请|請|也|就|^)别(?![人的处處])',
      '避免',
      '绝不',
      '絕不',
    ),
    obligation: signs(
      '必须',
      '必須',
      '务必',
      '務必',
      '一定要',
      '只能',
      '只允许',
      '只允許',
      '始终',
      '始終',
      '应该',
      '應該',
      '应当',
      '應當',
      '确保',
      '確保',
      '保持',
    ),
  },
  {
    language: 'ja',
    prohibition: signs(
      'ないで',
      'てはいけ',
      'てはなら',
      'ては(?:だめ|ダメ)',
      '禁止',
      '決して',
      '避けて',
      'べきではない',
      '(?:触ら|変更し|使わ)ない',
    ),
    obligation: signs(
      '必ず',
      '絶対に',
      'なければなら',
      'なければいけ',
      '必要があ',
      'ようにして',
      'すること(?:。|$)',
      'べき',
      'のみ使',
      '常に',
    ),
  },
  {
    language: 'ru',
    prohibition: words(
      'никогда|нельзя|запрещ[её]н\\p{L}{0,2}|ни в коем случае|не (?:надо|нужно|следует|должн[аоы]|должен|стоит|смей|забудь|правь|пиши|удали|измени)',
      'не \\p{L}{2,20}(?:[аеяу]й(?:те)?|ьте|ите)|избегай(?:те)?|без изменени\\p{L}{1,3}',
    ),
    obligation: words(
      'долж(?:ен|на|но|ны)|обязательно|обязан\\p{L}{0,2}|всегда|необходимо|убедись|убедитесь|требуется|только (?:используй|через)|следи(?:те)?',
    ),
  },
]
