import type { FastifyInstance } from 'fastify'
import type { Models } from '../../models/model.ts'
import { matchesGlob } from '../../models/selection.ts'

/** `GET /v1/models`: what is configured and allowed, in OpenAI's list shape; the default chain comes first. */
export function modelsRoute(app: FastifyInstance, models: Models): void {
  app.get('/v1/models', async (request) => {
    const globs = request.caller.models
    const visible = models.known.filter(({ id }) => globs === undefined || globs.some((glob) => matchesGlob(glob, id)))
    return {
      object: 'list',
      data: visible.map(({ id, contextWindow, maxOutputTokens }) => ({
        id,
        object: 'model',
        created: 0,
        owned_by: id.split('/', 1)[0],
        context_window: contextWindow,
        max_output_tokens: maxOutputTokens,
      })),
    }
  })
}
