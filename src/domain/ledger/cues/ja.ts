import type { CueSet } from './cue-set.ts'
import { phrases } from './phrases.ts'

export const JA: CueSet = {
  unspaced: true,
  lead: phrases('また | ただし | でも | しかし | そして | 注意 | なお'),
  done: phrases(
    '完了 | 修正しました | 追加しました | 更新しました | 作成しました | 実装しました | 削除しました | 変更しました | すべてのテストが通 | テストが通 | できました',
  ),
  intent: phrases('これから | 次に | まず | 今から | 確認します | 調べます'),
  decision: phrases('決定 | 採用 | 選択 | を使うことにし | ことにしました | 方針'),
  next: phrases('次は | 次に | その後 | 残り | 残って | あとは | 今後'),
  labels: {
    decision: phrases('決定 | 決定事項 | 方針'),
    next: phrases('次のステップ | 次の手順 | 残り | 残作業 | 今後 | やること | 未完了'),
    blocked: phrases('ブロック | 障害 | ブロッカー'),
    constraint: phrases('制約 | 制限 | ルール | 要件 | 条件 | 注意 | 重要'),
    done: phrases('完了 | 変更点 | 変更内容 | まとめ'),
  },
  trivial: phrases(`
    はい | いいえ | うん | ok | 了解 | 続けて | 続けてください | ありがとう | ありがとうございます | お願いします | よろしく | こんにちは | いいね | 大丈夫 | 進めて |
    進めてください
  `),
}
