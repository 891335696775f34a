import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, like, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { type AuditNote, commitChange } from '../../audit/index.ts';
import { verifications } from '../table.ts';

/** Purpose of a link from a mail or from the command line; `second-factor` is a sign-in that waits for its second step. */
export type LinkKind = 'sign-up' | 'reset' | 'verify' | 'join' | 'email' | 'second-factor';
/** A link to redeem. */
export type Link = { readonly kind: LinkKind; readonly token: string };

/** Lifetime of a link: 15 minutes. A user who reads the mail later can request another one. */
const LIFETIME_MS = 15 * 60_000;

/** SHA-256 of a token; only the hash is stored. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A token of 256 random bits, for a URL. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** 403 for a link that is unknown, used or expired; the reply does not say which. */
export const expiredLink = (): AppError =>
  new AppError(403, 'This link is not valid any more; ask for a new one');

const identifierOf = ({ kind, token }: Link): string => `${kind}:${hashToken(token)}`;

const isValid = (ctx: Ctx, link: Link): SQL | undefined =>
  and(eq(verifications.identifier, identifierOf(link)), gt(verifications.expiresAt, new Date(ctx.now())));

/** A new token, valid until `expiresAt` (epoch milliseconds), and the statement that stores its hash with `value`. */
export function newLink(
  ctx: Ctx,
  kind: LinkKind,
  value: string,
): { token: string; expiresAt: number; statement: BatchItem<'sqlite'> } {
  const token = newToken();
  const now = ctx.now();
  const expiresAt = now + LIFETIME_MS;
  const statement = ctx.db.sql.insert(verifications).values({
    id: newId('ver', now),
    identifier: identifierOf({ kind, token }),
    value,
    expiresAt: new Date(expiresAt),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  });
  return { token, expiresAt, statement };
}

/** Creates a link and returns its token. */
export async function createLink(ctx: Ctx, kind: LinkKind, value: string): Promise<string> {
  const { token, statement } = newLink(ctx, kind, value);
  await ctx.db.sql.batch([statement]);
  return token;
}

/** The value of a link; null if it is not valid. */
export async function findLink(ctx: Ctx, link: Link): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ value: verifications.value })
    .from(verifications)
    .where(isValid(ctx, link));
  return row?.value ?? null;
}

/** The value of a link. Throws AppError 403 if it is not valid. */
export async function readLink(ctx: Ctx, link: Link): Promise<string> {
  const value = await findLink(ctx, link);
  if (value === null) throw expiredLink();
  return value;
}

/**
 * `value` while the link is valid, otherwise NULL. In a NOT NULL column it makes the whole change fail if a concurrent
 * request redeemed the link first.
 */
export const whileValid = <T extends string | number>(ctx: Ctx, link: Link, value: T): SQL<T> =>
  sql<T>`(SELECT ${value} WHERE EXISTS (SELECT 1 FROM verifications WHERE ${isValid(ctx, link)}))`;

/**
 * Makes an audited change that a link authorises, and ends this link and all others of its kind and value. One of the
 * statements must contain a `whileValid`.
 * @throws AppError 403 if the link is no longer valid
 */
export async function commitWithLink(
  ctx: Ctx,
  actor: Actor,
  {
    link,
    value,
    ...change
  }: {
    link: Link;
    value: string;
    statements: readonly BatchItem<'sqlite'>[];
    audit: readonly AuditNote[];
  },
): Promise<void> {
  const { statements, audit } = change;
  try {
    await commitChange(ctx, actor, { statements: [...statements, endLinks(ctx, link.kind, value)], audit });
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'not_null') throw expiredLink();
    throw error;
  }
}

/** Ends all links of a kind and value: after a new password, older reset links must not work either. */
export const endLinks = (ctx: Ctx, kind: LinkKind, value: string): BatchItem<'sqlite'> =>
  ctx.db.sql
    .delete(verifications)
    .where(and(eq(verifications.value, value), like(verifications.identifier, `${kind}:%`)));

/**
 * Ends the sign-ins that a person has begun: those that wait for a second factor, and links to sign in. After a new
 * password, whoever began one with the old password must not complete it.
 */
export const endSignIns = (
  ctx: Ctx,
  { userId, email }: { readonly userId: string; readonly email: string },
): BatchItem<'sqlite'> => {
  const has = (kind: string, field: object): SQL | undefined =>
    and(
      like(verifications.identifier, `${kind}:%`),
      sql`instr(${verifications.value}, ${JSON.stringify(field).slice(1, -1)}) > 0`,
    );
  return ctx.db.sql
    .delete(verifications)
    .where(or(has('second-factor', { userId }), has('magic-link', { email })));
};

/** Ends one link. Returns whether it was valid: of concurrent requests with a link, one gets true. */
export async function endLink(ctx: Ctx, link: Link): Promise<boolean> {
  const ended = await ctx.db.sql
    .delete(verifications)
    .where(isValid(ctx, link))
    .returning({ id: verifications.id });
  return ended.length > 0;
}
