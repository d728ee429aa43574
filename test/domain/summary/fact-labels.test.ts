import { expect, it } from 'vitest'
import { FACT_HEADINGS, factLabels } from '../../../src/domain/summary/fact-labels.ts'

it.each([
  ['## Goal\nx\n\n## Next Steps\ny', 'Kept Facts', 'Newest request'],
  ['## Ziel\nx\n\n## Nächste Schritte\ny', 'Festgehaltene Fakten', 'Neueste Bitte'],
  ['## Objetivo\nx\n\n## Próximos pasos\ny\n\n## Archivos\nz', 'Hechos conservados', 'Petición más reciente'],
  ['## Objectif\nx\n\n## Prochaines étapes\ny', 'Faits conservés', 'Dernière demande'],
  ['## Tarefa\nx\n\n## Próximas etapas\ny\n\n## Arquivos\nz', 'Fatos mantidos', 'Pedido mais recente'],
  ['## Obiettivo\nx\n\n## Prossimi passi\ny', 'Fatti conservati', 'Ultima richiesta'],
  ['## Hedef\nx\n\n## Sonraki adımlar\ny', 'Korunan bilgiler', 'En yeni istek'],
  ['## Цель\nx\n\n## Дальше\ny', 'Сохранённые факты', 'Последний запрос'],
  ['## 目標\nx\n\n## 次のステップ\ny', '保持した事実', '最新の依頼'],
  ['## 목표\nx\n\n## 다음 단계\ny', '보존된 사실', '최신 요청'],
  ['## 目标\nx\n\n## 后续步骤\ny', '保留的事实', '最新请求'],
  ['## الهدف\nx', 'حقائق محفوظة', 'أحدث طلب'],
  ['## लक्ष्य\nx', 'सुरक्षित तथ्य', 'नवीनतम अनुरोध'],
  // What tells no language is told in English.
  ['Plain prose without a heading.', 'Kept Facts', 'Newest request'],
  ['## Xyzzy\nx', 'Kept Facts', 'Newest request'],
])('factLabels of %j are under %s', (answer, heading, request) => {
  const labels = factLabels(answer)
  expect([labels.heading, labels.of.request]).toEqual([heading, request])
  expect(FACT_HEADINGS.has(heading)).toBe(true)
  // A word of its own for each of the nine kinds.
  expect(new Set(Object.values(labels.of)).size).toBe(9)
})

it('there are thirteen languages', () => {
  expect(FACT_HEADINGS.size).toBe(13)
})
