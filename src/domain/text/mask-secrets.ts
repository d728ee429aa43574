/** Shorter ones would mask ordinary words. */
const LEAST_LENGTH = 6

/** Replaces every known secret in a text, also as JSON or a URL spells it; linear in the text. */
export function secretMasker(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret.length >= LEAST_LENGTH)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  // A secret that holds another one is masked whole.
  const unique = [...new Set(spellings)].sort((one, other) => other.length - one.length)
  return (text) => unique.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text)
}
