/** Words for making a summary, in the languages people ask in. */
// bounded: the first 4,000 characters of a text
const SUMMARY =
  /\b(?:summar(?:y|ies)\b|summari[sz]|sum(?:ming)? up\b|recap|condens|compact|checkpoint|hand-?off\b|distil|zusammenfass|fass(?:e|t|en)?\b[^.!?\n]{0,120}\bzusammen\b|resum|résum|riassum|riepilog|özet)|state_snapshot|continuing our conversation|continuation note|总结|總結|摘要|概括|要約|まとめ|요약|резюм|подвед|кратк|لخص|ملخص|सारांश/iu
/** And what is to be summarised. */
const CONVERSATION =
  /conversation|\bour work\b|session|\bchat|histor|transcript|dialog|messages|\babove\b|so far|context|discussion|exchange|state_snapshot|summari[sz]ation request|gespräch|unterhaltung|verlauf|sitzung|conversaci|conversa|conversazione|sesión|sessão|sessione|échange|对话|對話|会话|會話|上文|대화|会話|разговор|диалог|бесед|сесси|konuşma|sohbet|oturum|محادثة|बातचीत/iu
const LONGEST = 4_000

/** True for a text that wants the conversation around it summarised; only its beginning is looked at. */
export function asksForSummary(text: string): boolean {
  const head = text.slice(0, LONGEST)
  return SUMMARY.test(head) && CONVERSATION.test(head)
}

const ORDER =
  /^(?:please |now |bitte |por favor |)(?:summari[sz]e|sum up|recap|condense|write|create|give|produce|generate|fasse?n?\b|resum|résum|riassum)/iu
const SHAPE = /\b(?:headings?|sections?|format|template|structure)\b/i
const MOST_SHAPE = 160

/** The same for a paragraph at the end of a prompt, where less says it: an order to summarise, or the form of the answer. */
export function ordersSummary(paragraph: string): boolean {
  const head = paragraph.slice(0, LONGEST).trim()
  return asksForSummary(head) || (ORDER.test(head) && SUMMARY.test(head)) || saysShape(head)
}

/** "Use exactly these headings:" and nothing after it. */
function saysShape(paragraph: string): boolean {
  return paragraph.endsWith(':') && SHAPE.test(paragraph.slice(-MOST_SHAPE))
}
