import type { CueSet } from './cue-set.ts'
import { phrases } from './phrases.ts'

export const KO: CueSet = {
  unspaced: true,
  lead: phrases('그리고 | 하지만 | 또한 | 단 | 주의 | 참고'),
  done: phrases(
    '완료 | 수정했 | 추가했 | 구현했 | 업데이트했 | 생성했 | 삭제했 | 변경했 | 모든 테스트 통과 | 테스트 통과',
  ),
  intent: phrases('이제 | 다음으로 | 먼저 | 지금부터 | 확인하겠'),
  decision: phrases('결정 | 채택 | 선택 | 하기로 했 | 하기로 결정'),
  next: phrases('다음은 | 다음 단계 | 이후 | 남은 | 앞으로'),
  labels: {
    decision: phrases('결정 | 결정 사항 | 주요 결정'),
    next: phrases('다음 단계 | 다음 | 남은 작업 | 할 일 | 후속 작업'),
    blocked: phrases('막힘 | 차단 | 블로커'),
    constraint: phrases('제약 | 제한 | 규칙 | 요구사항 | 조건 | 주의 | 중요'),
    done: phrases('완료 | 변경 사항 | 변경점 | 요약'),
  },
  trivial: phrases(`
    네 | 예 | 응 | ㅇㅇ | 아니 | 아니요 | 좋아 | 좋아요 | 계속 | 계속해 | 계속해줘 | 고마워 | 감사합니다 | 하이 |
    안녕 | 안녕하세요 | ㅎㅇ | 오케이 | 진행해 | 진행해줘 | 해줘 | 그래
  `),
}
