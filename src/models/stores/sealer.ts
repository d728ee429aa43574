import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { asBuffer } from '../../domain/as-buffer.ts'

/** Encrypts what is kept in Redis, so that access to Redis alone does not reveal it (docs/spec/production.md §2). */
export interface Sealer {
  /** `place` is where the value will lie: a value moved to another place cannot be opened there. */
  seal(plain: string | Uint8Array, place: string): Buffer
  /** Undefined for anything that none of the known secrets sealed for this place; never throws. */
  open(sealed: Uint8Array, place: string): Buffer | undefined
}

/** Format 1: one byte of version, four that name the key, the nonce, the tag, then the ciphertext. */
const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

interface Key {
  readonly id: Buffer
  readonly bytes: Uint8Array
}

/** AES-256-GCM; the first secret encrypts, each of them decrypts, so that a secret can be replaced while values live. */
export function createSealer(secrets: readonly [string, ...string[]]): Sealer {
  const [writer, ...others] = secrets
  const first = keyOf(writer)
  const keys = [first, ...others.map(keyOf)]
  return {
    seal(plain, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce)
      cipher.setAAD(Buffer.from(place))
      const body = [typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain), cipher.final()]
      return Buffer.concat([Buffer.of(VERSION), first.id, nonce, cipher.getAuthTag(), ...body])
    },
    open(sealed, place) {
      const bytes = asBuffer(sealed)
      if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined
      const key = keys.find(({ id }) => bytes.subarray(1, 1 + KEY_ID_BYTES).equals(id))
      return key === undefined ? undefined : opened(bytes.subarray(1 + KEY_ID_BYTES), key, place)
    },
  }
}

function opened(bytes: Buffer, key: Key, place: string): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The id is a hash of the derived key, so it says nothing of the secret. */
function keyOf(secret: string): Key {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'recapd sealed values', 32))
  return { bytes, id: createHash('sha256').update('id').update(bytes).digest().subarray(0, KEY_ID_BYTES) }
}
