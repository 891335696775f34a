import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { LoginSession } from '../tenancy/index.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { memberSubject, organizationSubject } from './subject.ts';
import { members, organizations } from './table.ts';

/** Most organizations per owner, because each has its own quota. */
const MAX_OWNED = 20;

/**
 * Creates an organization on DEFAULT_PLAN that a person owns. Unless sign-up is open, only people who already own an
 * organization may do this.
 * @returns its id
 * @throws AppError 403 if they may not, or own 20
 */
export async function foundOrganization(
  ctx: Ctx,
  { userId }: LoginSession,
  { name, actor }: { name: string; actor: Actor },
): Promise<string> {
  const createdAt = new Date(ctx.now());
  const id = newId('org', ctx.now());
  const owned = sql`(SELECT count(*) FROM members WHERE user_id = ${userId} AND role = 'owner')`;
  const least = ctx.config.SIGNUP === 'open' ? 0 : 1;
  // Null, which is not allowed as an id, if they own too many or too few.
  const allowedId = sql<string>`(SELECT ${id} WHERE ${owned} >= ${least} AND ${owned} < ${MAX_OWNED})`;
  try {
    await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql
          .insert(organizations)
          .values({ id: allowedId, name, plan: ctx.config.DEFAULT_PLAN, createdAt }),
        ctx.db.sql.insert(members).values({ organizationId: id, userId, role: 'owner', createdAt }),
      ],
      audit: [
        { action: 'organization.created', organizationId: id, subject: { of: organizationSubject, id } },
        { action: 'member.added', organizationId: id, subject: { of: memberSubject, id: [userId, id] } },
      ],
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('organizations.id')) throw error;
    throw new AppError(403, `Only owners may create organizations here, and each at most ${MAX_OWNED}`);
  }
  ctx.emit(organizationsChanged);
  return id;
}

/** Renames an organization. */
export async function renameOrganization(
  ctx: Ctx,
  actor: Actor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const subject = { of: organizationSubject, id };
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(organizations)
        .set({ name })
        .where(and(eq(organizations.id, id), isNull(organizations.deletedAt))),
    ],
    audit: [{ action: 'organization.renamed', organizationId: id, subject }],
  });
  ctx.emit(organizationsChanged);
}
