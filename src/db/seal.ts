import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a sealed text is: `purpose` selects the key; `context` is such as the id of the owner. */
export type Sealing = {
  readonly purpose: 'second factor' | 'channel' | 'guardrail' | 'evaluator' | 'simulation';
  readonly context: string;
};

/** A key for each purpose, derived from the server's secret (RFC 5869). */
const keyOf = (secret: string, { purpose }: Sealing): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `spanledger ${purpose}`, 32));

/**
 * Encrypts a text with AES-256-GCM. Only `unseal` with the same server secret and the same `Sealing`
 * reads it.
 */
export function seal(secret: string, as: Sealing, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, as), nonce).setAAD(Buffer.from(as.context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** The text of `seal`; null if it was changed, or sealed for another context or with another server secret. */
export function unseal(secret: string, as: Sealing, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, as), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(as.context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
