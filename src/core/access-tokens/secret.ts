import { createHash, randomBytes } from 'node:crypto';

const FORMAT = /^slt_[0-9a-f]{64}$/;
const BEARER = /^bearer +(slt_\S{0,200})$/i;
/** 48 of the 256 bits are public: enough to recognise a token, and no help for guessing the rest. */
const PREFIX_LENGTH = 'slt_'.length + 12;

/** A new token, `slt_` and 64 random hex digits, with what is stored of it. */
export function newSecret(): { token: string; prefix: string; hash: string } {
  const token = `slt_${randomBytes(32).toString('hex')}`;
  return { token, prefix: token.slice(0, PREFIX_LENGTH), hash: sha256(token) };
}

/**
 * The hash by which a token is found; null for text that is not one. SHA-256 is enough, because nobody can guess 256
 * random bits. The index compares hashes, so its timing says nothing about a token.
 */
export const hashSecret = (token: string): string | null => (FORMAT.test(token) ? sha256(token) : null);

/** What a request sends as an access token, valid or not; null if its bearer token is of another kind. */
export const readAccessToken = (request: Request): string | null =>
  BEARER.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
