import { tableOf } from '../keys-of.ts'
import type { FactKind } from '../ledger/ledger-facts.ts'
import { answerSections } from './judge/answer-sections.ts'

/** The heading over what the audit puts back, and the label of each line, in one language. */
export interface FactLabels {
  readonly heading: string
  readonly of: Readonly<Record<FactKind, string>>
}

const ORDER: readonly FactKind[] = [
  'request',
  'question',
  'constraint',
  'error',
  'decision',
  'link',
  'file',
  'goal',
  'command',
]

/** Told as the past: what reads like an order gets executed (docs/bug-log.md B152). Each with words its headings are known by. */
const LANGUAGES: readonly (readonly [words: RegExp, heading: string, labels: string])[] = [
  [
    /goal|progress|done|next|decision|context|constraint|state|blocked|files|request|task|actions|notes/i,
    'Kept Facts',
    'Newest request|Unanswered question|User constraint|Unresolved error|Decision|Link|Modified file|Goal|Command run',
  ],
  [
    /\bziele?\b|aufgabe|erledigt|nächste|entscheidung|einschränkung|vorgaben?|fortschritt|offen|dateien|zustand|stand\b|kontext|arbeit|blockiert|wichtig/i,
    'Festgehaltene Fakten',
    'Neueste Bitte|Offene Frage|Vorgabe|Offener Fehler|Beschluss|Verweis|Geänderte Datei|Ziel|Ausgeführter Befehl',
  ],
  [
    /objetivo|tarea|hecho|próximo|siguiente|decisi[oó]n|restricci|progreso|bloque|archivo|contexto|estado/i,
    'Hechos conservados',
    'Petición más reciente|Pregunta sin responder|Regla del usuario|Error sin resolver|Elección|Enlace|Archivo modificado|Objetivo|Comando ejecutado',
  ],
  [
    /objectif|tâche|terminé|prochaine|étape|décision|contrainte|progrès|avancement|bloqu|fichier|contexte|état\b/i,
    'Faits conservés',
    'Dernière demande|Question sans réponse|Règle de l’utilisateur|Erreur non résolue|Choix|Lien|Fichier modifié|Objectif|Commande exécutée',
  ],
  [
    /tarefa|concluíd|próxim|decis(?:ão|ões)|restriç|progresso|arquivo|bloquead|contexto|estado atual/i,
    'Fatos mantidos',
    'Pedido mais recente|Pergunta sem resposta|Regra do usuário|Erro em aberto|Escolha|Ligação|Arquivo alterado|Objetivo|Comando executado',
  ],
  [
    /obiettiv|compito|completat|prossim|decision[ei]\b|vincol|avanzamento|bloccat|contesto|stato\b/i,
    'Fatti conservati',
    'Ultima richiesta|Domanda senza risposta|Regola dell’utente|Errore irrisolto|Scelta|Collegamento|File modificato|Obiettivo|Comando eseguito',
  ],
  [
    /hedef|görev|tamamlan|sonraki|karar|kısıt|ilerleme|engel|dosya|bağlam|durum/i,
    'Korunan bilgiler',
    'En yeni istek|Yanıtsız soru|Kullanıcı kuralı|Çözülmemiş hata|Karar|Bağlantı|Değişen dosya|Hedef|Çalıştırılan komut',
  ],
  [
    /\p{Script=Cyrillic}/u,
    'Сохранённые факты',
    'Последний запрос|Вопрос без ответа|Правило пользователя|Нерешённая ошибка|Решение|Ссылка|Изменённый файл|Цель|Выполненная команда',
  ],
  [
    /[\p{Script=Hiragana}\p{Script=Katakana}]|目標|進捗|次の|決定|制約/u,
    '保持した事実',
    '最新の依頼|未回答の質問|ユーザーの制約|未解決のエラー|決定|リンク|変更したファイル|目標|実行したコマンド',
  ],
  [
    /\p{Script=Hangul}/u,
    '보존된 사실',
    '최신 요청|답변 없는 질문|사용자 제약|미해결 오류|결정|링크|수정한 파일|목표|실행한 명령',
  ],
  [
    /\p{Script=Han}/u,
    '保留的事实',
    '最新请求|未回答的问题|用户约束|未解决的错误|决定|链接|修改的文件|目标|已执行的命令',
  ],
  [
    /\p{Script=Arabic}/u,
    'حقائق محفوظة',
    'أحدث طلب|سؤال بلا جواب|قيد المستخدم|خطأ لم يُحل|قرار|رابط|ملف معدّل|الهدف|أمر نُفّذ',
  ],
  [
    /\p{Script=Devanagari}/u,
    'सुरक्षित तथ्य',
    'नवीनतम अनुरोध|अनुत्तरित प्रश्न|उपयोगकर्ता का नियम|अनसुलझी त्रुटि|निर्णय|लिंक|बदली गई फ़ाइल|लक्ष्य|चलाया गया आदेश',
  ],
]

const TABLE: readonly (readonly [words: RegExp, labels: FactLabels])[] = LANGUAGES.map(([words, heading, labels]) => {
  const texts = labels.split('|')
  return [words, { heading, of: tableOf(ORDER, (kind, at) => texts[at] ?? kind) }]
})

/** Every heading that such lines may stand under, whatever the language. */
export const FACT_HEADINGS: ReadonlySet<string> = new Set(TABLE.map(([, { heading }]) => heading))

/** Labels in the language of the answer's own headings; English where they tell none. */
export function factLabels(answer: string): FactLabels {
  const titles = answerSections(answer).map(({ title }) => title)
  const hits = TABLE.map(([words]) => titles.filter((title) => title !== '' && words.test(title)).length)
  const best = hits.indexOf(Math.max(...hits))
  const [, labels] = TABLE[best] ?? TABLE[0] ?? []
  if (labels === undefined) throw new RangeError('There is no table of labels')
  return labels
}
