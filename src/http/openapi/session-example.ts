const at = (minute: number) => `2026-11-20T09:0${minute}:00.000Z`
const user = (
  { id, parentId }: { readonly id: string; readonly parentId: string | null },
  minute: number,
  text: string,
) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(minute),
  message: { role: 'user', content: [{ type: 'text', text }] },
})

/** A session small enough for a page of documentation: one question, and two ways that were tried. */
export const EXAMPLE_ENTRIES = [
  { type: 'session', version: 3, id: 'example', timestamp: at(0), cwd: '/srv/orders' },
  user({ id: 'a0000001', parentId: null }, 1, 'Make the limit configurable through ORDERS_RATE_MAX.'),
  {
    type: 'message',
    id: 'a0000002',
    parentId: 'a0000001',
    timestamp: at(2),
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will read it in src/config.ts.' },
        { type: 'toolCall', id: 'c1', name: 'edit', arguments: { path: 'src/config.ts' } },
      ],
    },
  },
  {
    type: 'message',
    id: 'a0000003',
    parentId: 'a0000002',
    timestamp: at(3),
    message: { role: 'toolResult', toolCallId: 'c1', toolName: 'edit', content: 'Replaced text.', isError: false },
  },
  user({ id: 'a0000004', parentId: 'a0000001' }, 4, 'Read it from the database instead.'),
]
