import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';

/** The parameters that every authenticator app supports: SHA-1, 6 digits, steps of 30 seconds (RFC 6238, 4). */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepted clock difference in steps, in both directions (RFC 6238, 5.2). */
const SKEW = 1;

/** A new secret of 160 bits (RFC 4226, 4), in base32 as apps take it. */
export const newTotpSecret = (): string => base32.encode(randomBytes(20), { padding: false });

/** The address in the QR code of an authenticator app. */
export const totpUri = (secret: string, account: string): string =>
  `otpauth://totp/Spanledger:${encodeURIComponent(account)}?${new URLSearchParams({ secret, issuer: 'Spanledger' })}`;

/**
 * The time step whose code was given, at most one step from `now` (epoch milliseconds); null if the code is wrong. The
 * caller accepts each step once.
 */
export function matchTotp(secret: string, code: string, now: number): number | null {
  const key = Buffer.from(base32.decode(secret));
  const given = Buffer.from(code);
  const current = Math.floor(now / STEP_MS);
  for (let step = current - SKEW; step <= current + SKEW; step++) {
    const right = Buffer.from(totpAt(key, step));
    if (given.length === right.length && timingSafeEqual(given, right)) return step;
  }
  return null;
}

/** The code of a step (RFC 4226, 5.3). */
function totpAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = hash.readUInt8(hash.length - 1) & 15;
  const number = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}
