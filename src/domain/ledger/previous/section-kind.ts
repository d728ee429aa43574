import { LABEL_NAMES } from '../../text/structure/labels.ts'
import { phrases } from '../cues/phrases.ts'

/** What a section of a summary holds, whatever its heading is called. */
export type SectionKind =
  | 'goal'
  | 'task'
  | 'constraints'
  | 'progress'
  | 'done'
  | 'in-progress'
  | 'blocked'
  | 'decisions'
  | 'next-steps'
  | 'critical'
  | 'state'
  | 'files'
  | 'resolved'
  | 'pending'
  | 'other'

/** Words headings are known by, most telling first; compared with the heading lower-cased, without marks. */
const SYNONYMS: readonly (readonly [SectionKind, readonly string[]])[] = [
  ['goal', phrases('goal | objective | outcome | objetivo | objectif | ziel | 目标 | 目的 | 目標 | цел | 목표')],
  [
    'resolved',
    phrases(`
      resolved | answered | preguntas resueltas | respondidas | beantwortet | résolues | 已解决 | 解決済み | решённые |
      решенные
    `),
  ],
  [
    'pending',
    phrases(`
      pending ask | pending question | pending request | open question | unanswered | asks | preguntas abiertas |
      sin responder | offene frage | questions ouvertes | perguntas abertas | 未解决 | 待回答 | 未回答 | открытые вопросы
    `),
  ],
  [
    'constraints',
    phrases(`
      constraint | preference | requirement | rules | restriccion | preferencias | requisito | reglas | vorgaben |
      einschränkung | anforderung | contrainte | exigence | restriç | regras | 约束 | 限制 | 要求 | 偏好 | 制約 | 要件 |
      ограничени | требовани | предпочтени | 제약 | 요구사항 | 선호
    `),
  ],
  [
    'in-progress',
    phrases(`
      in progress | in-progress | ongoing | underway | current work | en curso | en progreso | en marcha |
      in arbeit | laufend | en cours | em andamento | em curso | 进行中 | 進行中 | в процессе | в работе | 진행 중 | 진행중
    `),
  ],
  [
    'done',
    phrases(`
      done | completed | early progress | finished | accomplish | changes | hecho | completad | terminad |
      realizado | avances | progreso inicial | erledigt | abgeschlossen | fertig | terminé | accompli | fait |
      concluíd | feito | 已完成 | 完成 | сделано | завершен | готово | 완료
    `),
  ],
  [
    'blocked',
    phrases(`
      block | error | problem | issue | obstacle | bloque | errores | problemas | blockiert | fehler | bloqué |
      blocage | erreur | impedimento | 阻塞 | 阻碍 | 错误 | 障害 | エラー | ブロック | блок | препятств | ошибк | проблем | 막힘 | 차단
    `),
  ],
  [
    'decisions',
    phrases('decision | rationale | decisi | entscheidung | décision | decis | 决定 | 決定 | 决策 | решени | 결정'),
  ],
  [
    'next-steps',
    phrases(`
      next | remaining | pending | todo | to do | to-do | follow-up | plan | siguiente | próximo | proximo |
      pendiente | por hacer | nächste | offen | à faire | prochain | a fazer | 下一步 | 后续 | 待办 | 残り | 次の | 今後 |
      следующ | осталось | дальнейш | 다음 | 남은
    `),
  ],
  [
    'files',
    phrases(`
      file | path | archivo | fichero | datei | fichier | arquivo | ficheiro | 文件 | ファイル | файл | 파일
    `),
  ],
  [
    'state',
    phrases(`
      state | status | current | where we are | estado | situación | stand | état | situação | 状态 | 狀態 | 状態 | 現状 |
      состояни | статус
    `),
  ],
  [
    'critical',
    phrases(`
      critical | context | note | important | evidence | reference | data | contexto | crític | notas | datos |
      kontext | wichtig | hinweis | contexte | remarque | observaç | 关键 | 上下文 | 背景 | 备注 | 重要 | 文脈 | メモ | контекст |
      важн | заметк | 맥락 | 중요
    `),
  ],
  [
    'task',
    phrases(`
      task | user message | request | tarea | solicitud | petición | peticion | encargo | aufgabe | auftrag |
      tâche | demande | tarefa | pedido | 任务 | 请求 | タスク | 依頼 | задач | запрос | 작업 | 요청
    `),
  ],
  ['goal', phrases('intent | purpose | aim | meta | ゴール')],
  [
    'progress',
    phrases(`
      progress | progreso | avance | fortschritt | avancement | progresso | 进展 | 进度 | 進捗 | прогресс | ход работ | 진행
    `),
  ],
]

const MARKS = /[^\p{L}\p{N}\s-]+/gu
const LATIN = /^[\p{Script=Latin}\p{Script=Cyrillic}]/u

const LABELS: ReadonlySet<string> = new Set(LABEL_NAMES)

/** Headings of two kinds at once, and ones that a word in them would put in the wrong place. */
const MIXED: readonly (readonly [SectionKind, RegExp])[] = [
  ['done', /progress.{0,20}decision/],
  ['critical', /problem solving|technical concept|lessons|errors? and fix|gotcha|learned/],
  ['goal', /primary request|\bintent\b/],
  ['task', /user messages/],
]

/** Kind of a heading by the synonym table; `other` when nothing fits, which is answered by "(none)". */
export function sectionKind(title: string): SectionKind {
  const words = title.toLowerCase().replace(MARKS, ' ').replace(/\s+/g, ' ').trim()
  // A label of a transcript is no heading of a summary: nothing comes of it (docs/spec/hostile.md §3).
  if (LABELS.has(words)) return 'other'
  for (const [kind, pattern] of MIXED) if (pattern.test(words)) return kind
  for (const [kind, names] of SYNONYMS) if (names.some((name) => holds(words, name))) return kind
  return 'other'
}

/** Stems count at the start of a word; scripts without spaces anywhere. */
function holds(words: string, name: string): boolean {
  if (!LATIN.test(name)) return words.includes(name)
  return words.startsWith(name) || words.includes(` ${name}`)
}
