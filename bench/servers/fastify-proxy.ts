// The same behind Fastify, which is what our service stands on: the rest is what we add.
import fastify from 'fastify'
import { Pool } from 'undici'
import { proxied } from './proxied.ts'

const pool = new Pool(process.env['UPSTREAM'] ?? '', { headersTimeout: 0, bodyTimeout: 0 })
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, _payload, done) => done(null))
app.all('/proxy/anthropic/*', async (request, reply) => {
  const answer = await pool.request({ ...proxied(request.raw), body: request.raw })
  return reply.code(answer.statusCode).headers(answer.headers).send(answer.body)
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
