import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** How an authenticator answers; each field makes one part of the answer wrong. */
export type Deviation = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** The user touched the authenticator, but showed no PIN or finger. */
  readonly unverified?: boolean;
  readonly counter?: number;
};

type Asked = { readonly challenge: string };

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Heads of CBOR: major type and length (RFC 8949, 3). */
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([head(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const cborNumber = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const cborMap = (entries: readonly [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** A COSE key of ES256 (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cborMap([
    [cborNumber(1), cborNumber(2)],
    [cborNumber(3), cborNumber(-7)],
    [cborNumber(-1), cborNumber(1)],
    [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

/** An authenticator with one passkey for the pages of an origin, as software. */
export function createAuthenticator(page = 'http://localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let signatures = 0;

  const clientData = (type: string, asked: Asked, { origin = page, challenge }: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge: challenge ?? asked.challenge, origin, crossOrigin: false }),
    );
  const authData = (flags: number, { rpId, unverified, counter }: Deviation): Buffer => {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(unverified === true ? flags & ~4 : flags);
    tail.writeUInt32BE(counter ?? signatures++, 1);
    return Buffer.concat([sha256(rpId ?? new URL(page).hostname), tail]);
  };
  const credential = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };

  return {
    id,
    /** What `navigator.credentials.create` gives. */
    create(asked: Asked, deviation: Deviation = {}) {
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(Buffer.concat([authData(0x45, deviation), attested]))],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', asked, deviation).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** What `navigator.credentials.get` gives. */
    get(asked: Asked, deviation: Deviation = {}) {
      const client = clientData('webauthn.get', asked, deviation);
      const data = authData(0x05, deviation);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      };
    },
  };
}
