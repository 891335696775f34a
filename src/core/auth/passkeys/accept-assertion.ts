import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { hashToken } from '../links/links.ts';
import { authOf } from '../service.ts';
import { passkeys, verifications } from '../table.ts';
import type { Passkey } from '../two-factor/factors.ts';
import type { Assertion, RequestOptions } from './contract.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';
import { CEREMONY_MS, isSignedChallenge, newSignedChallenge } from './signed-challenge.ts';

/** The purpose of a challenge for a sign-in with nothing but a passkey. */
export const SIGN_IN = 'sign-in';

/**
 * Options for `navigator.credentials.get`.
 * @param allowed the passkeys to choose from; none allows every passkey of this server
 * @throws AppError 409 if passkeys cannot be used at this address
 */
export function assertionOptions(
  ctx: Ctx,
  request: Request,
  { purpose, allowed }: { purpose: string; allowed: readonly Passkey[] },
): RequestOptions {
  return {
    challenge: Buffer.from(newSignedChallenge(ctx, purpose)).toString('base64url'),
    rpId: relyingParty(ctx, request).rpId,
    timeout: CEREMONY_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
  };
}

/**
 * Checks a use of a passkey, for a challenge of this purpose, and notes it.
 * @returns the id of the passkey's owner
 * @throws AppError 401 if anything about it is wrong, 409 at another address, 429 after too many
 */
export async function acceptAssertion(
  ctx: Ctx,
  { request, source }: { request: Request; source: Source },
  { assertion, purpose }: { assertion: Assertion; purpose: string },
): Promise<string> {
  const party = relyingParty(ctx, request);
  const address = addressGroup(source.address);
  const used = await authOf(ctx).throttle.attempt({ email: `passkey ${address}`, address }, async () => {
    const [passkey] = await ctx.db.sql.select().from(passkeys).where(eq(passkeys.credentialId, assertion.id));
    if (passkey === undefined) return null;
    const verified = await verify(ctx, { passkey, assertion, purpose, party });
    return verified !== null && (await note(ctx, passkey, verified)) ? passkey : null;
  });
  if (used === null) throw new AppError(401, 'This passkey was not accepted; try again, or use another way');
  return used.userId;
}

type Verified = { readonly counter: number; readonly backedUp: boolean; readonly challenge: string };

async function verify(
  ctx: Ctx,
  of: { passkey: Passkey; assertion: Assertion; purpose: string; party: RelyingParty },
): Promise<Verified | null> {
  const { passkey, assertion, purpose, party } = of;
  const { webauthn } = await import('./webauthn.ts');
  let challenge = '';
  try {
    const { verified, authenticationInfo } = await webauthn.verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: (given) => {
        challenge = given;
        return isSignedChallenge(ctx, purpose, given);
      },
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, backedUp: credentialBackedUp, challenge } : null;
  } catch (error) {
    // The library throws for each kind of wrong input, whatever a client sends.
    ctx.log.debug({ err: error }, 'a passkey was refused');
    return null;
  }
}

/** Notes the use. False if the challenge was used before, or a concurrent use of the passkey won. */
async function note(ctx: Ctx, { id, counter }: Passkey, verified: Verified): Promise<boolean> {
  const now = ctx.now();
  const at = new Date(now);
  const unchanged = and(eq(passkeys.id, id), eq(passkeys.counter, counter));
  // A NULL id fails if a concurrent use changed the count of signatures.
  const spent = sql<string>`(SELECT ${newId('ver', now)} WHERE EXISTS (SELECT 1 FROM passkeys WHERE ${unchanged}))`;
  try {
    await ctx.db.sql.batch([
      ctx.db.sql.insert(verifications).values({
        id: spent,
        identifier: `passkey:${hashToken(verified.challenge)}`,
        value: '',
        expiresAt: new Date(now + CEREMONY_MS),
        createdAt: at,
        updatedAt: at,
      }),
      ctx.db.sql
        .update(passkeys)
        .set({ counter: verified.counter, backedUp: verified.backedUp, lastUsedAt: at })
        .where(unchanged),
    ]);
    return true;
  } catch (error) {
    if (brokenConstraint(error) === null) throw error;
    return false;
  }
}
