import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';

/** Scrypt with 64 MiB of memory: a tenth of a second here, and as long for each guess. */
const COST = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const;

const sealedSchema = z.object({
  format: z.literal('spanledger-sealed-1'),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  text: z.base64(),
});

const keyOf = (passphrase: string, salt: Uint8Array): Buffer => scryptSync(passphrase, salt, 32, COST);

/** Encrypts a text with a passphrase (scrypt, AES-256-GCM). Returns JSON. */
export function sealText(text: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const encoded = { salt, nonce, tag: cipher.getAuthTag(), text: sealed };
  const fields = Object.entries(encoded).map(([name, bytes]) => [name, bytes.toString('base64')]);
  return `${JSON.stringify({ format: 'spanledger-sealed-1', ...Object.fromEntries(fields) })}\n`;
}

/** The text; null if the passphrase is another, or the JSON was changed. */
export function openSealed(json: string, passphrase: string): string | null {
  try {
    const sealed = sealedSchema.parse(JSON.parse(json));
    const bytes = (field: string): Buffer => Buffer.from(field, 'base64');
    const key = keyOf(passphrase, bytes(sealed.salt));
    const options = { authTagLength: 16 };
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.nonce), options);
    decipher.setAuthTag(bytes(sealed.tag));
    return Buffer.concat([decipher.update(bytes(sealed.text)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
