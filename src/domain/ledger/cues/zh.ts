import type { CueSet } from './cue-set.ts'
import { phrases } from './phrases.ts'

export const ZH: CueSet = {
  unspaced: true,
  lead: phrases('请 | 請 | 另外 | 但是 | 但 | 并且 | 而且 | 注意 | 记住 | 还有 | 同时'),
  done: phrases(
    '完成 | 已完成 | 已经完成 | 已 | 我已 | 修复了 | 添加了 | 更新了 | 创建了 | 实现了 | 删除了 | 所有测试通过 | 测试通过 | 搞定',
  ),
  intent: phrases('我将 | 我会 | 接下来我 | 现在我 | 让我 | 我来 | 我先 | 正在'),
  decision: phrases('我决定 | 我们决定 | 决定 | 我选择 | 选择 | 采用 | 改用 | 我们使用 | 最终选择 | 决策'),
  next: phrases('下一步 | 接下来 | 然后 | 之后 | 还需要 | 剩下 | 待办 | 尚需 | 后续'),
  labels: {
    decision: phrases('决定 | 决策 | 关键决策'),
    next: phrases('下一步 | 后续步骤 | 待办 | 待办事项 | 剩余工作 | 接下来 | 未完成'),
    blocked: phrases('阻塞 | 受阻 | 阻碍'),
    constraint: phrases('约束 | 限制 | 规则 | 要求 | 注意 | 注意事项 | 重要'),
    done: phrases('已完成 | 完成 | 变更 | 修改 | 总结'),
  },
  trivial: phrases(
    '好 | 好的 | 是 | 是的 | 对 | 不 | 嗯 | 继续 | 繼續 | 谢谢 | 謝謝 | 可以 | 行 | 你好 | 没问题 | 开始 | 完美',
  ),
}
