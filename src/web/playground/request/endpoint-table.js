// Made by scripts/write-playground-tables.ts from src/requests/endpoints.ts; change that one.
export const ENDPOINT_TABLE = {
  summarize: { path: '/summarize', streams: true },
  'chat-completions': { path: '/v1/chat/completions', streams: false },
  messages: { path: '/v1/messages', streams: false },
  responses: { path: '/v1/responses', streams: false },
  'responses-compact': { path: '/v1/responses/compact', streams: false },
  compact: { path: '/compact', streams: true },
  'branch-summary': { path: '/branch-summary', streams: true },
  check: { path: '/check', streams: false },
  prune: { path: '/prune', streams: false },
  context: { path: '/context', streams: false },
}
