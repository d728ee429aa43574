/** The same bytes with a Buffer's methods: what crossed a thread has lost them. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
