import type { Ctx } from '../../../context.ts';
import { AppError, notAMember, notAuthenticated } from '../../../errors.ts';
import type { Asked, Guards } from '../../../http/route.ts';
import {
  admit,
  type Callers,
  checkedOrganization,
  extendScope,
  type LoginSession,
  namedId,
} from '../../tenancy/index.ts';
import { authOf } from '../service.ts';
import { readBearer } from './bearer-token.ts';
import { readSessionCookie, requireSameOrigin } from './cookie.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longer values are no ids: they are not looked up and not cached. */
const MAX_ID_LENGTH = 100;

/**
 * Guards of endpoints for people, who send a bearer token or, from a page of this server, the session cookie. If there
 * is an `Authorization` header, the cookie is ignored; a change by cookie must come from this server's own pages. The
 * checks are in this order: who calls (401), for what (400), whether they may (403). The 403 is the same for another
 * organization's project, a missing one and a deleted one. All guards may throw AppError 429.
 */
export function createSessionGuards(ctx: Ctx): Pick<Guards<Callers>, 'session' | 'project' | 'organization'> {
  const { sessions } = authOf(ctx);
  const session = ({ request }: Asked): Promise<LoginSession> => findSession(ctx, request);
  return {
    session,
    project: async (asked) => {
      const person = await session(asked);
      const projectId = namedId('project', asked);
      const tooLong = projectId.length > MAX_ID_LENGTH;
      const membership = tooLong ? null : await sessions.membership(person.userId, projectId);
      if (membership === null) throw notAMember();
      const { scope, role } = membership;
      await admit(ctx, asked.endpoint, { role, organizationId: scope.organizationId });
      return { ...person, scope, role };
    },
    organization: async (asked) => {
      const person = await session(asked);
      const organizationId = namedId('organization', asked);
      const tooLong = organizationId.length > MAX_ID_LENGTH;
      const role = tooLong ? null : await sessions.roleIn(person.userId, organizationId);
      if (role === null) throw notAMember();
      await admit(ctx, asked.endpoint, { role, organizationId });
      return extendScope(checkedOrganization(organizationId), { ...person, role });
    },
  };
}

/** The login session of a request to an endpoint without `auth`, which works without one too; null without one. */
export async function sessionIfAny(ctx: Ctx, request: Request): Promise<LoginSession | null> {
  try {
    return await findSession(ctx, request);
  } catch (error) {
    if (error instanceof AppError && [401, 403].includes(error.status)) return null;
    throw error;
  }
}

async function findSession(ctx: Ctx, request: Request): Promise<LoginSession> {
  const authorization = request.headers.get('authorization');
  const cookie = authorization === null ? readSessionCookie(ctx, request) : null;
  const token = readBearer(cookie === null ? authorization : `Bearer ${cookie}`, ctx.secret);
  const session = token === null ? null : await authOf(ctx).sessions.find(token);
  if (session === null) throw notAuthenticated();
  if (cookie !== null && !SAFE_METHODS.has(request.method)) requireSameOrigin(ctx, request);
  await ctx.limits.hit('dashboard', session.sessionId);
  const { sessionId, userId, email, name } = session;
  return { sessionId, userId, email, name };
}
