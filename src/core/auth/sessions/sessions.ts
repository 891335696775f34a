import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { secondFactorMissing } from '../../../errors.ts';
import { createFreshCache } from '../../../lib/fresh-cache.ts';
import { members, organizations, users } from '../../orgs/table.ts';
import { projects } from '../../projects/table.ts';
import type { Role } from '../../tenancy/contract.ts';
import { checkedProject, type LoginSession, type ProjectScope } from '../../tenancy/index.ts';
import { sessions } from '../table.ts';
import { createIdleCheck } from './idle.ts';
import { provenTime } from './proven-at.ts';

/** Login sessions and memberships, cached for a few seconds. */
export type Sessions = {
  /** The login session of a token with a valid signature; null if there is none or it has ended. */
  find(token: string): Promise<OpenSession | null>;
  /** Ends a login session; its token is refused from the next request on. */
  end(sessionId: string): Promise<void>;
  /** Clears the cache of login sessions, after a change of them or of people. */
  drop(): void;
  /** Clears the cache of memberships. */
  dropMemberships(): void;
  /** Clears all caches: people, organizations and roles may have changed. */
  dropAll(): void;
  /**
   * A person's membership for a project; null for a project of others, a missing and a deleted one alike. Throws AppError
   * 403 if the organization requires a second factor that they do not have; so does `roleIn`.
   */
  membership(userId: string, projectId: string): Promise<Membership | null>;
  /** A person's role in an organization; null for one of others and a missing one alike. */
  roleIn(userId: string, organizationId: string): Promise<Role | null>;
};

/** Times in epoch milliseconds; `seenAt`: the last noted use; `provenAt`: the sign-in or its last repetition. */
export type OpenSession = LoginSession & {
  readonly expiresAt: number;
  readonly seenAt: number;
  readonly provenAt: number;
};
export type Membership = { readonly scope: ProjectScope; readonly role: Role };

/** Delay until changes of another process show; those of this process show at once. */
const TTL_MS = 5_000;
const MAX_KEPT = 10_000;

/** Caches what it reads for at most five seconds. */
export function createSessions(ctx: Ctx): Sessions {
  const kept = { ttlMs: TTL_MS, maxKeys: MAX_KEPT, now: ctx.now };
  const open = createFreshCache({ ...kept, load: (token) => loadSession(ctx, token) });
  const memberships = createFreshCache({ ...kept, load: (key) => loadMembership(ctx, key) });
  const isInUse = createIdleCheck(ctx);
  const roles = createFreshCache({ ...kept, load: (key) => loadRole(ctx, key) });

  return {
    find: async (token) => {
      const session = await open.get(token);
      return session !== null && ctx.now() < session.expiresAt && isInUse(session) ? session : null;
    },
    end: async (sessionId) => {
      await ctx.db.sql.delete(sessions).where(eq(sessions.id, sessionId));
      open.drop();
    },
    drop: () => open.drop(),
    dropMemberships: () => memberships.drop(),
    dropAll: () => {
      open.drop();
      memberships.drop();
      roles.drop();
    },
    membership: async (userId, projectId) => admitted(await memberships.get(`${userId} ${projectId}`)),
    roleIn: async (userId, organizationId) =>
      admitted(await roles.get(`${userId} ${organizationId}`))?.role ?? null,
  };
}

/** A membership that may be closed until the person adds a second factor. */
type Closable<M> = M & { readonly closed: boolean };

function admitted<M>(found: Closable<M> | null): M | null {
  if (found?.closed === true) throw secondFactorMissing();
  return found;
}

async function loadSession(ctx: Ctx, token: string): Promise<OpenSession | null> {
  const [row] = await ctx.db.sql
    .select({
      sessionId: sessions.id,
      expiresAt: sessions.expiresAt,
      seenAt: sessions.updatedAt,
      createdAt: sessions.createdAt,
      provenAt: sessions.provenAt,
      userId: users.id,
      email: users.email,
      name: users.name,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, token));
  if (row === undefined) return null;
  const { sessionId, userId, email, name } = row;
  const [expiresAt, seenAt] = [row.expiresAt.getTime(), row.seenAt.getTime()];
  return { sessionId, userId, email, name, expiresAt, seenAt, provenAt: provenTime(row) };
}

/** A user's id contains no space; an id from a caller may. */
function splitKey(key: string): [userId: string, id: string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

const isClosed = sql<boolean>`${organizations.requiresSecondFactor} AND NOT ${users.secondFactor}`.mapWith(
  Boolean,
);

async function loadRole(ctx: Ctx, key: string): Promise<Closable<{ role: Role }> | null> {
  const [userId, organizationId] = splitKey(key);
  const [row] = await ctx.db.sql
    .select({ role: members.role, closed: isClosed })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), eq(members.organizationId, organizationId)));
  return row ?? null;
}

/** Uses one statement for every outcome, so that its timing reveals nothing. */
async function loadMembership(ctx: Ctx, key: string): Promise<Closable<Membership> | null> {
  const [userId, projectId] = splitKey(key);
  const [row] = await ctx.db.sql
    .select({
      no: projects.no,
      organizationId: projects.organizationId,
      role: members.role,
      closed: isClosed,
    })
    .from(projects)
    .innerJoin(members, and(eq(members.userId, userId), eq(members.organizationId, projects.organizationId)))
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)));
  if (row === undefined) return null;
  const { no, organizationId, role, closed } = row;
  return { scope: checkedProject({ projectId, no, organizationId }), role, closed };
}
