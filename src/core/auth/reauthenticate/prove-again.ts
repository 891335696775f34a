import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { AppError, badRequest } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { personNotes } from '../journal/person-notes.ts';
import { acceptAssertion, assertionOptions } from '../passkeys/accept-assertion.ts';
import { passkeyProblem } from '../passkeys/relying-party.ts';
import { findPassword } from '../passwords/password.ts';
import { authOf } from '../service.ts';
import { provenAt } from '../sessions/proven-at.ts';
import { sessions } from '../table.ts';
import { findTotp, listPasskeys } from '../two-factor/factors.ts';
import { acceptCode } from '../two-factor/second-step.ts';
import type {
  PROOF_METHODS,
  postReauthenticateEndpoint,
  postReauthenticateOptionsEndpoint,
} from './contract.ts';
import { requirePassword, type Signer } from './reauthenticate.ts';
import { isRecent } from './recent.ts';

type Proof = z.output<(typeof postReauthenticateEndpoint)['body']>;
type Options = z.infer<(typeof postReauthenticateOptionsEndpoint)['reply']>;
type Asked = Signer & { readonly request: Request; readonly actor: Actor };

/** A challenge for a passkey fits one login session. */
const purposeOf = ({ session }: Signer): string => `again ${session.sessionId}`;

/** How a person can prove to be at the keyboard. */
export async function proofOptions(ctx: Ctx, asked: Asked): Promise<Options> {
  const { userId } = asked.session;
  const [hash, totp, passkeys] = await Promise.all([
    findPassword(ctx, userId),
    findTotp(ctx, userId),
    listPasskeys(ctx, userId),
  ]);
  const usable = passkeys.length > 0 && passkeyProblem(ctx, asked.request) === null;
  const methods: (typeof PROOF_METHODS)[number][] = [
    ...(hash === null ? [] : (['password'] as const)),
    ...(totp === null ? [] : (['totp'] as const)),
    ...(usable ? (['passkey'] as const) : []),
  ];
  const options = { purpose: purposeOf(asked), allowed: passkeys };
  return { methods, passkey: usable ? assertionOptions(ctx, asked.request, options) : null };
}

/**
 * Accepts a proof, and notes it in the login session unless the last one is recent.
 * @throws AppError 400 unless one proof is given, 403 for a wrong one, 409 for a way that the person does not have, 429
 *   after too many
 */
export async function proveAgain(ctx: Ctx, asked: Asked, proof: Proof): Promise<void> {
  const given = Object.values(proof).filter((value) => value !== undefined);
  if (given.length !== 1) throw badRequest('send one of password, code and passkey');
  await acceptProof(ctx, asked, proof);
  const { userId, sessionId } = asked.session;
  const before = await provenAt(ctx, sessionId);
  if (before !== null && isRecent({ provenAt: before }, ctx.now())) return;
  await commitChange(ctx, asked.actor, {
    statements: [
      ctx.db.sql
        .update(sessions)
        .set({ provenAt: new Date(ctx.now()) })
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId))),
    ],
    audit: await personNotes(ctx, userId, { action: 'user.reauthenticated' }),
  });
  authOf(ctx).sessions.drop();
}

async function acceptProof(ctx: Ctx, asked: Asked, { password, code, passkey }: Proof): Promise<void> {
  const { session, source } = asked;
  if (password !== undefined) {
    const hash = await findPassword(ctx, session.userId);
    if (hash === null) throw new AppError(403, 'You have no password; use another way, or sign in again');
    return requirePassword(ctx, asked, { password, hash });
  }
  try {
    if (code !== undefined) await acceptCode(ctx, session.userId, code);
    if (passkey !== undefined) await acceptOwn(ctx, asked, passkey);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 401) throw error;
    noteFailure(ctx, { email: session.email, by: 'repeated factor', source });
    // 401 would say that the login session has ended.
    throw new AppError(403, error.message, { cause: error });
  }
}

async function acceptOwn(ctx: Ctx, asked: Asked, assertion: NonNullable<Proof['passkey']>): Promise<void> {
  const owner = await acceptAssertion(ctx, asked, { assertion, purpose: purposeOf(asked) });
  if (owner !== asked.session.userId) throw new AppError(403, 'This passkey belongs to another account');
}
