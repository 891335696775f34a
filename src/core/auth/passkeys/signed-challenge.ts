import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../../../context.ts';

/** Time for the dialog of the browser. */
export const CEREMONY_MS = 5 * 60_000;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;

const signatureOf = (ctx: Ctx, purpose: string, stated: Buffer): Buffer =>
  createHmac('sha256', ctx.secret).update(`passkey:${purpose}:`).update(stated).digest();

/**
 * A challenge for an authenticator: random, valid for five minutes and for one purpose. It is signed instead of stored,
 * so that anonymous requests take no space.
 */
export function newSignedChallenge(ctx: Ctx, purpose: string): Uint8Array<ArrayBuffer> {
  const stated = Buffer.alloc(NONCE_BYTES + TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(stated);
  stated.writeUIntBE(ctx.now() + CEREMONY_MS, NONCE_BYTES, TIME_BYTES);
  return new Uint8Array(Buffer.concat([stated, signatureOf(ctx, purpose, stated)]));
}

/** Whether a challenge (base64url) was made for this purpose and has not expired. */
export function isSignedChallenge(ctx: Ctx, purpose: string, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const stated = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const given = bytes.subarray(NONCE_BYTES + TIME_BYTES);
  if (stated.length < NONCE_BYTES + TIME_BYTES) return false;
  const right = signatureOf(ctx, purpose, stated);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
  return ctx.now() < stated.readUIntBE(NONCE_BYTES, TIME_BYTES);
}
