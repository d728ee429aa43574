import { describe, expect, it } from 'vitest'
import { sendWebhook, signWebhook, webhookMessage } from '../../src/jobs/webhook.ts'
import { serverOfTest } from '../support/server-of-test.ts'

const JOB = { id: 'job-1', endpoint: '/compact', status: 'done', createdAt: '2026-11-30T00:00:00.000Z' } as const
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

async function receiver(status: number) {
  const calls: { headers: Record<string, unknown>; body: string }[] = []
  const { url } = await serverOfTest(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    calls.push({ headers: request.headers, body })
    response.writeHead(status).end()
  })
  return { calls, url: `${url}/hook` }
}

describe('signWebhook', () => {
  it('signs as the Standard Webhooks libraries check it', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
    expect(signWebhook(message, 1_614_265_330, SECRET)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(signWebhook(message, 1_614_265_330, SECRET.slice('whsec_'.length))).toBe(
      signWebhook(message, 1_614_265_330, SECRET),
    )
  })
})

describe('sendWebhook', () => {
  it('tells that the job is over and nothing of its result', async () => {
    const { calls, url } = await receiver(204)
    const message = webhookMessage(JOB, '2026-11-30T00:00:01.000Z')
    await sendWebhook(message, { url, secret: SECRET }, 1_700_000_000_500)
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      type: 'job.done',
      timestamp: '2026-11-30T00:00:01.000Z',
      data: { job: JOB },
    })
    expect(calls[0]?.headers).toMatchObject({
      'webhook-id': 'msg_job-1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': signWebhook(message, 1_700_000_000, SECRET),
    })
  })

  it('throws for a receiver that does not take it, without its address', async () => {
    const { url } = await receiver(500)
    await expect(sendWebhook(webhookMessage(JOB, 'now'), { url, secret: SECRET }, 0)).rejects.toThrow(
      'The receiver of the webhook answered 500',
    )
  })
})
