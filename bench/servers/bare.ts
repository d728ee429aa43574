// The cheapest honest pass-through: Fastify in front, an undici Pool behind, the chat body built and the answer read by hand.
import fastify from 'fastify'
import { Pool } from 'undici'

const pool = new Pool(process.env['UPSTREAM'] ?? '', { connections: 256, pipelining: 1 })
const headers = { 'content-type': 'application/json', authorization: 'Bearer test' }
const app = fastify({ bodyLimit: 64 * 1024 * 1024 })
app.post('/summarize', async (request) => {
  const { systemPrompt, prompt } = request.body as { systemPrompt: string; prompt: string }
  const body = JSON.stringify({
    model: 'mock-model',
    messages: [
      { role: 'system', content: systemPrompt },
      { role: 'user', content: prompt },
    ],
  })
  const response = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body })
  const answer = (await response.body.json()) as { choices: { message: { content: string } }[] }
  return { summary: answer.choices[0]?.message.content }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
