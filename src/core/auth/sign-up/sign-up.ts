import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { Statements } from '../../../db/batch.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError, badRequest } from '../../../errors.ts';
import type { Actor, Source } from '../../../module.ts';
import type { AuditNote } from '../../audit/index.ts';
import { publicUrl } from '../../mail/index.ts';
import { displayName, emailAddress } from '../../orgs/contract.ts';
import { insertOrganization, organizationSubject, organizationsChanged } from '../../orgs/index.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { commitWithLink, createLink, type Link, readLink, whileValid } from '../links/links.ts';
import { mails } from '../links/mails.ts';
import { limitRequests, requestMail } from '../links/request-mail.ts';
import { addPerson, personStatements, whileUnknown } from '../person.ts';

/** The person and organization of a sign-up. */
type SignUp = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly organization?: string | undefined;
};

/** The value of a sign-up link. */
const linked = z.object({
  email: emailAddress,
  name: displayName.optional(),
  organization: displayName.optional(),
});

/** Throws AppError 403 unless sign-up is open. */
export function requireOpenSignUp(ctx: Ctx): void {
  if (ctx.config.SIGNUP === 'open') return;
  const way =
    ctx.config.SIGNUP === 'invitation'
      ? "an organization's admin for an invitation"
      : 'the operator for an account';
  throw new AppError(403, `Sign-up is closed here; ask ${way}`);
}

/**
 * Sends a link with which the owner of the address chooses a password, so that nobody can create an account for another
 * person's address. If the address has an account, its owner gets a mail that says so.
 * @throws AppError 403 if SIGNUP is not open, 429 after too many requests
 */
export function requestSignUp(ctx: Ctx, input: SignUp, address: string | null): { message: string } {
  requireOpenSignUp(ctx);
  const { email, name, organization } = input;
  return requestMail(ctx, { email, address }, async (person) => {
    if (person !== null) return mails.signUpAgain({ to: email, url: publicUrl(ctx) });
    const token = await createLink(ctx, 'sign-up', JSON.stringify({ email, name, organization }));
    return mails.signUp({ to: email, url: `${publicUrl(ctx)}/link#sign-up=${token}` });
  });
}

/** Redeems a sign-up link. Throws like `requireSignInWith`, AppError 403 if it is not valid, 409 if the account exists by now. */
export async function confirmSignUp(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
  source: Source,
): Promise<string> {
  requireOpenSignUp(ctx);
  const link = { kind: 'sign-up', token } as const;
  const value = await readLink(ctx, link);
  const { email, ...given } = linked.parse(JSON.parse(value));
  await requireSignInWith(ctx, email, null);
  const made = await strangerChange(ctx, { email, ...given, password, verified: true, source, link });
  await whileUnknown(email, () => commitWithLink(ctx, made.actor, { ...made, link, value }));
  ctx.emit(organizationsChanged);
  return made.userId;
}

/**
 * Creates an account at once, for servers that send no mail to confirm the address.
 * @throws AppError 400 without a password, 403 if SIGNUP is not open, 409 if the address has an account, 429 after too
 *   many
 */
export async function signUpUnverified(
  ctx: Ctx,
  { email, name, organization, password }: SignUp & { readonly password?: string | undefined },
  source: Source,
): Promise<string> {
  requireOpenSignUp(ctx);
  if (password === undefined) throw badRequest('password is required');
  limitRequests(ctx, { email, address: source.address });
  const made = await strangerChange(ctx, { email, name, organization, password, verified: false, source });
  await addPerson(ctx, email, made);
  return made.userId;
}

type Stranger = SignUp & { password: string; verified: boolean; source: Source; link?: Link };

/** A person with their own organization on DEFAULT_PLAN. */
async function strangerChange(
  ctx: Ctx,
  { organization, source, link, ...given }: Stranger,
): Promise<{ userId: string; actor: Actor; statements: Statements; audit: AuditNote[] }> {
  const now = ctx.now();
  const id = newId('org', now);
  const { name, ...rest } = given;
  const person = await personStatements(ctx, { ...rest, name, organizationId: id, role: 'owner' });
  const row = { name: organization ?? person.name, plan: ctx.config.DEFAULT_PLAN, createdAt: new Date(now) };
  return {
    userId: person.userId,
    actor: { kind: 'user', userId: person.userId, email: given.email, source },
    statements: [
      insertOrganization(ctx, { id: link === undefined ? id : whileValid(ctx, link, id), ...row }),
      ...person.statements,
    ],
    audit: [
      { action: 'organization.created', organizationId: id, subject: { of: organizationSubject, id } },
      person.note,
    ],
  };
}
