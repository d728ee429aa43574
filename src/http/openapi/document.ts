import { defined } from '../../domain/defined.ts'
import { headersOf, parametersOf } from './headers.ts'
import { acceptedResult } from './job-operations.ts'
import { type Components, createComponents, type Json, schemaOf } from './json-schema.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { problemResponses } from './problem-responses.ts'
import { anthropicError, problemSchema } from './problem-schema.ts'

/**
 * The OpenAPI 3.1 document, made from the very schemas that validate requests. `openapi.yaml` is its text, checked in so
 * that a change of the contract shows in a diff (docs/decisions/0006).
 */
export function openapiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  const components = createComponents()
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation, components) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'recapd',
      version,
      summary: 'Turns long AI-agent sessions into summaries an agent can resume from.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    components: {
      schemas: {
        Problem: schemaOf(problemSchema, 'output'),
        AnthropicError: schemaOf(anthropicError, 'output'),
        ...components.schemas,
      },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

const DESCRIPTION =
  `Every request may carry \`x-request-id\`, \`traceparent\` and \`x-request-timeout-ms\`; bodies may be compressed
(\`content-encoding\` gzip, br, deflate). A key goes into \`x-api-key\`, \`Authorization: Bearer\`, or the path (\`/k/<key>/…\`).
Failures are RFC 9457 problems that OpenAI clients can read as well.`.replaceAll('\n', ' ')

const TAGS = [
  { name: 'summaries', description: 'Prompts in, summaries out.' },
  {
    name: 'sessions',
    description: 'Whole sessions and message lists: compaction, branch summaries, and what an agent needs around them.',
  },
  { name: 'operations', description: 'Health, metrics and this description.' },
]

function operationOf(operation: Operation, components: Components): Json {
  const { operationId, tag, summary, description, request, access, job } = operation
  const parameters = parametersOf(operation)
  return defined({
    operationId,
    tags: [tag],
    summary,
    description,
    security: access === 'open' ? [] : [{ apiKey: [] }, { bearer: [] }, {}],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: request === undefined ? undefined : requestBodyOf(operation, components),
    responses: defined({
      '200': successOf(operation, components),
      '202': job === true ? acceptedOf(operation, components) : undefined,
      ...alikeOf(operation, components),
      ...problemResponses(operation),
    }),
  })
}

function requestBodyOf({ operationId, request, example, ndjson }: Operation, components: Components): Json {
  const schema = request === undefined ? {} : components.refer(operationId, request, 'input')
  const json = defined({ schema, example })
  const lines = {
    schema: {
      type: 'string',
      description: 'A session file as it lies on disk: one JSON entry a line; the other parameters go into the query.',
    },
  }
  return {
    required: true,
    content: defined({ 'application/json': json, 'application/x-ndjson': ndjson === true ? lines : undefined }),
  }
}

function successOf(operation: Operation, components: Components): Json {
  const { operationId, response, responseType = 'application/json', events } = operation
  const content: Json = {
    [responseType]: {
      schema: response === undefined ? { type: 'string' } : components.refer(operationId, response, 'output'),
    },
  }
  if (events !== undefined) content['text/event-stream'] = { schema: { type: 'string', description: events } }
  return { description: 'Done.', headers: headersOf(operation, 200), content }
}

function alikeOf(operation: Operation, components: Components): Json {
  const { content } = successOf(operation, components)
  return Object.fromEntries(
    Object.entries(operation.alike ?? {}).map(([status, description]) => [
      status,
      { description, headers: headersOf(operation, Number(status)), content },
    ]),
  )
}

function acceptedOf(operation: Operation, components: Components): Json {
  const schema = components.refer('accepted', acceptedResult, 'output')
  return { description: 'A job.', headers: headersOf(operation, 202), content: { 'application/json': { schema } } }
}
