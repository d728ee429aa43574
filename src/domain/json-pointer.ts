/** Where a value stands in a JSON document, as RFC 6901 writes it: `/messages/0/content`; the document itself is the empty text. */
export const jsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
