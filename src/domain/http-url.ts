import { z } from 'zod'

/** An address of somebody else's service. What a URL may hold beside it would not be sent, so it is refused. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .refine(
    (text) => !hasCredentials(text),
    'must hold no user and no password: they would not be sent; a provider takes apiKeys or headers',
  )

/** One that paths are put behind. */
export const baseUrl = httpUrl.refine(
  (text) => !/[?#]/.test(text),
  'must end in its path: what stands behind ? or # would not be sent',
)

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}
