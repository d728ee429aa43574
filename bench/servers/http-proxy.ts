// The floor of a proxy: node:http in front, an undici Pool behind, bodies piped both ways, and nothing else.
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { proxied } from './proxied.ts'

const pool = new Pool(process.env['UPSTREAM'] ?? '', { headersTimeout: 0, bodyTimeout: 0 })
createServer(async (request, response) => {
  try {
    const answer = await pool.request({ ...proxied(request), body: request })
    response.writeHead(answer.statusCode, answer.headers)
    answer.body.pipe(response)
  } catch {
    response.writeHead(502).end()
  }
}).listen(Number(process.env['PORT']), '127.0.0.1')
