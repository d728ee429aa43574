const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** A small document with everything the reference page has to cope with: $ref, recursion, variants, defaults, examples. */
export const STUB_OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'recapd',
    version: '9.9.9',
    summary: 'Shortens sessions.',
    description: 'Every request may carry `x-request-id`.',
  },
  tags: [
    { name: 'sessions', description: 'Whole sessions.' },
    { name: 'operations', description: 'Health.' },
  ],
  paths: {
    '/compact': {
      post: {
        tags: ['sessions'],
        summary: 'Compact a session or a list',
        description: 'Exactly one of `entries` and `messages`.',
        security: [{ apiKey: [] }, {}],
        parameters: [
          {
            name: 'x-request-timeout-ms',
            in: 'header',
            schema: { type: 'integer' },
            description: 'Shortens the deadline.',
          },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/CompactRequest' },
              example: { messages: [{ role: 'user', content: "it's" }] },
            },
            'application/x-ndjson': { schema: { type: 'string', description: 'A session file.' } },
          },
        },
        responses: {
          200: {
            description: 'Done.',
            headers: { 'x-request-id': { schema: { type: 'string' }, description: 'Echoed.' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/CompactResult' } } },
          },
          401: problem('`unauthorized`: A valid key is needed.'),
          422: problem('`broken-tree`: The entries do not form a tree. `no-entries`: There is no entry to work on.'),
        },
      },
    },
    '/livez': {
      get: {
        tags: ['operations'],
        summary: 'Is the process alive?',
        security: [],
        responses: {
          200: {
            description: 'Done.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Problem: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string' }, detail: { type: 'string', description: 'What would mend it.' } },
      },
      Node: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        },
      },
      CompactRequest: {
        type: 'object',
        required: ['entries'],
        properties: {
          reason: { type: 'string', enum: ['manual', 'threshold'], default: 'manual', description: 'Why **now**.' },
          entries: { type: 'array', items: { $ref: '#/components/schemas/Node' }, description: 'All entries.' },
          keep: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          prune: {
            anyOf: [
              { type: 'boolean' },
              { type: 'object', properties: { protectTokens: { type: 'integer', default: 40000 } } },
            ],
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      CompactResult: {
        type: 'object',
        required: ['compacted'],
        properties: { compacted: { type: 'boolean' }, summary: { type: 'string' } },
      },
    },
  },
}
