import { createHmac, timingSafeEqual } from 'node:crypto';

const SCHEME = /^bearer +(\S{1,300})$/i;

/**
 * Returns the session token inside a signed bearer token, `<token>.<HMAC-SHA256 in base64>`, which better-auth uses for
 * cookies and the `set-auth-token` header. Null for a missing or malformed header, a signature by another secret, and
 * a raw session token, which would stay valid after a change of the secret.
 */
export function readBearer(authorization: string | null, secret: string): string | null {
  const signed = decodeEscapes(SCHEME.exec(authorization ?? '')?.[1] ?? '');
  const dot = signed.lastIndexOf('.');
  if (dot < 1) return null;
  const token = signed.slice(0, dot);
  const given = Buffer.from(signed.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

/** The signed bearer token of a session token: the inverse of `readBearer`. */
export const signToken = (token: string, secret: string): string =>
  `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;

/** The token without the escapes that a cookie needs. */
export const decodeEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
