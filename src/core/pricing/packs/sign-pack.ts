import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '../../../errors.ts';

/** The last field of a signed pack. */
export const signatureSchema = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** The first 16 hex digits of the SHA-256 of the public key. */
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** 64 bytes in base64. */
  value: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});
export type Signature = z.infer<typeof signatureSchema>;

/** DER header of an Ed25519 public key (RFC 8410), before its 32 bytes. */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * JSON in canonical form (RFC 8785): keys sorted by UTF-16 code units, no white space, numbers as ECMAScript writes
 * them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}

const bytesOf = (signed: object): Buffer => Buffer.from(canonicalJson(signed), 'utf8');

/** The 32 bytes of a public key, from a PEM, or base64 of 32 bytes. */
const rawPublic = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-32);

const idOf = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 16);

/** A new key pair: the private key as PEM (PKCS #8), the public key as base64 of its 32 bytes. */
export function createPackKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: rawPublic(publicKey).toString('base64'),
  };
}

/**
 * Signs a pack. An older signature is replaced.
 * @param pem an Ed25519 private key
 * @returns the signature, and the public key in base64
 * @throws AppError 400 if it is not such a key
 */
export function signPack(signed: object, pem: string): { signature: Signature; publicKey: string } {
  const key = privateKeyOf(pem);
  const raw = rawPublic(createPublicKey(key));
  const value = sign(null, bytesOf(signed), key).toString('base64');
  return { signature: { algorithm: 'ed25519', key: idOf(raw), value }, publicKey: raw.toString('base64') };
}

function privateKeyOf(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Node's message about the PEM says nothing that helps, and must not contain parts of the key.
  }
  throw badRequest(
    'The key is not an Ed25519 private key in PEM; create one with `spanledger prices pack keygen`',
  );
}

/** The id of a public key in base64, as signatures name it. */
export const packKeyId = (publicKey: string): string => idOf(Buffer.from(publicKey, 'base64'));

/**
 * Whether one of the trusted keys signed this. `unknown_key`: it was signed with another one; `changed`: the content is
 * not what was signed.
 * @param trusted public keys in base64
 */
export function verifyPack(
  signed: object,
  signature: Signature,
  trusted: readonly string[],
): 'valid' | 'unknown_key' | 'changed' {
  const known = trusted.find((key) => packKeyId(key) === signature.key);
  if (known === undefined) return 'unknown_key';
  const spki = Buffer.concat([SPKI_HEADER, Buffer.from(known, 'base64')]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify(null, bytesOf(signed), key, Buffer.from(signature.value, 'base64')) ? 'valid' : 'changed';
}
