import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError, conflict, notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { defineSubject } from '../../audit/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { passkeys } from '../table.ts';
import { addFactor, changeFactors, type PersonNote } from '../two-factor/change-factors.ts';
import { listPasskeys, type Passkey } from '../two-factor/factors.ts';
import { factorMails } from '../two-factor/mails.ts';
import type { Attestation, PasskeyRow } from './contract.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';
import { CEREMONY_MS, isSignedChallenge, newSignedChallenge } from './signed-challenge.ts';

/** Most passkeys per person. */
const MAX_PASSKEYS = 20;

type By = { readonly actor: Actor; readonly session: LoginSession };

const passkeySubject = defineSubject('passkey', passkeys, ['userId', 'name', 'backedUp', 'createdAt']);
const noteOf = (action: string, id: string): PersonNote => ({
  action,
  subject: { of: passkeySubject, id },
});

const purposeOf = ({ sessionId }: LoginSession): string => `register ${sessionId}`;

/** Options for `navigator.credentials.create`. Throws AppError 409 at a wrong address or with 20 passkeys. */
export async function passkeyOptions(
  ctx: Ctx,
  request: Request,
  session: LoginSession,
): Promise<{ challenge: string }> {
  const { rpId } = relyingParty(ctx, request);
  const known = await listPasskeys(ctx, session.userId);
  if (known.length >= MAX_PASSKEYS) throw tooMany();
  const { webauthn } = await import('./webauthn.ts');
  const options = await webauthn.generateRegistrationOptions({
    rpName: 'Spanledger',
    rpID: rpId,
    userID: new TextEncoder().encode(session.userId),
    userName: session.email,
    userDisplayName: session.name,
    challenge: newSignedChallenge(ctx, purposeOf(session)),
    timeout: CEREMONY_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  return { ...options };
}

const tooMany = (): AppError => conflict(`You have ${MAX_PASSKEYS} passkeys; remove one first`);

/**
 * Adds a passkey that the browser made.
 * @returns the passkey, and the recovery codes of a first factor
 * @throws AppError 403 if it is not valid, 409 if it is known, at a wrong address, or one too many
 */
export async function addPasskey(
  ctx: Ctx,
  by: By & { readonly request: Request },
  { name, response }: { name: string; response: Attestation },
): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }> {
  const { userId, email } = by.session;
  const party = relyingParty(ctx, by.request);
  if ((await listPasskeys(ctx, userId)).length >= MAX_PASSKEYS) throw tooMany();
  const made = await verify(ctx, { response, purpose: purposeOf(by.session), party });
  if (made === null) throw new AppError(403, 'The passkey was not accepted; begin again');
  const now = ctx.now();
  const row = { ...made, id: newId('psk', now), userId, name, createdAt: new Date(now), lastUsedAt: null };
  try {
    const recoveryCodes = await addFactor(ctx, by, {
      statements: [ctx.db.sql.insert(passkeys).values(row)],
      note: noteOf('user.passkey_added', row.id),
      mail: factorMails.passkeyAdded(email, name),
    });
    return { passkey: toRow(row), recoveryCodes };
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('passkeys.credential_id')) throw error;
    throw conflict('This passkey is known already');
  }
}

type Made = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>;

async function verify(
  ctx: Ctx,
  { response, purpose, party }: { response: Attestation; purpose: string; party: RelyingParty },
): Promise<Made | null> {
  const { webauthn } = await import('./webauthn.ts');
  const { transports = [], ...made } = response.response;
  try {
    const { verified, registrationInfo } = await webauthn.verifyRegistrationResponse({
      response: { ...response, response: made },
      expectedChallenge: (challenge) => isSignedChallenge(ctx, purpose, challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports,
      backedUp: credentialBackedUp,
    };
  } catch (error) {
    // The library throws for each kind of wrong input, whatever a client sends.
    ctx.log.debug({ err: error }, 'a new passkey was refused');
    return null;
  }
}

/** Renames a passkey of the person. Throws AppError 404 if they have none with that id. */
export async function renamePasskey(
  ctx: Ctx,
  { actor, session }: By,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await findOwn(ctx, session, id);
  await changeFactors(
    ctx,
    { actor, userId: session.userId },
    {
      statements: [ctx.db.sql.update(passkeys).set({ name }).where(eq(passkeys.id, id))],
      note: noteOf('user.passkey_renamed', id),
      mail: factorMails.passkeyRenamed(session.email, name),
    },
  );
}

/** Removes a passkey of the person. Throws AppError 404 if they have none with that id. */
export async function removePasskey(ctx: Ctx, { actor, session }: By, id: string): Promise<void> {
  const { name } = await findOwn(ctx, session, id);
  await changeFactors(
    ctx,
    { actor, userId: session.userId },
    {
      statements: [ctx.db.sql.delete(passkeys).where(eq(passkeys.id, id))],
      note: noteOf('user.passkey_removed', id),
      mail: factorMails.passkeyRemoved(session.email, name),
    },
  );
}

async function findOwn(ctx: Ctx, { userId }: LoginSession, id: string): Promise<Passkey> {
  const [row] = await ctx.db.sql
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)));
  if (row === undefined) throw notFound(`You have no passkey ${id}`);
  return row;
}

/** A passkey as its owner sees it. */
export const toRow = ({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyRow => ({
  id,
  name,
  createdAt: formatInstant(createdAt.getTime()),
  lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt.getTime()),
  backedUp,
});
